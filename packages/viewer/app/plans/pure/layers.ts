/**
 * Places the steps of a large plan in columns: each step one column after the last of its dependencies, and within a column beside what it
 * depends on. One pass, so that 10,000 steps take milliseconds; small plans get a better picture from dagre.
 */
import type { StepRow } from '../../../src/contract/plans.ts'

export interface Place {
  readonly x: number
  readonly y: number
}

export interface Layout {
  readonly places: ReadonlyMap<string, Place>
  readonly width: number
  readonly height: number
}

export const nodeSize = { width: 236, height: 66 } as const
const gap = { x: 60, y: 18 } as const
export const margin = 24

export function layers(steps: ReadonlyMap<string, StepRow>): Layout {
  const depths = depthsOf(steps)
  const columns: string[][] = []
  for (const [id, depth] of depths) (columns[depth] ??= []).push(id)
  const rows = new Map<string, number>()
  for (const column of columns) {
    const wish = new Map(column.map((id, i) => [id, wishedRow(steps.get(id), rows) ?? i]))
    column.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0))
    column.forEach((id, row) => rows.set(id, row))
  }
  const tallest = Math.max(1, ...columns.map(({ length }) => length))
  const places = new Map<string, Place>()
  columns.forEach((column, depth) => {
    const above = ((tallest - column.length) * (nodeSize.height + gap.y)) / 2
    // A long column is not centred: the first steps stay where the reader begins.
    const start = margin + (tallest > 40 ? 0 : above)
    column.forEach((id, row) =>
      places.set(id, {
        x: margin + depth * (nodeSize.width + gap.x),
        y: start + row * (nodeSize.height + gap.y),
      }),
    )
  })
  return {
    places,
    width: 2 * margin + columns.length * (nodeSize.width + gap.x) - gap.x,
    height: 2 * margin + tallest * (nodeSize.height + gap.y) - gap.y,
  }
}

/** The column of each step. What depends on itself in a circle, which no plan does, stays in the first. */
export function depthsOf(steps: ReadonlyMap<string, StepRow>): ReadonlyMap<string, number> {
  const after = new Map<string, string[]>()
  const open = new Map<string, number>()
  for (const { id, dependsOn } of steps.values()) {
    const known = dependsOn.filter((dependency) => steps.has(dependency))
    open.set(id, known.length)
    for (const dependency of known) {
      const list = after.get(dependency)
      if (list === undefined) after.set(dependency, [id])
      else list.push(id)
    }
  }
  const depths = new Map([...steps.keys()].map((id) => [id, 0]))
  const queue = [...open].flatMap(([id, count]) => (count === 0 ? [id] : []))
  for (let i = 0; i < queue.length; i++) {
    const id = queue[i] ?? ''
    for (const next of after.get(id) ?? []) {
      depths.set(next, Math.max(depths.get(next) ?? 0, (depths.get(id) ?? 0) + 1))
      const left = (open.get(next) ?? 0) - 1
      open.set(next, left)
      if (left === 0) queue.push(next)
    }
  }
  return depths
}

function wishedRow(step: StepRow | undefined, rows: ReadonlyMap<string, number>): number | undefined {
  const known = (step?.dependsOn ?? []).flatMap((id) => rows.get(id) ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, row) => sum + row, 0) / known.length
}
