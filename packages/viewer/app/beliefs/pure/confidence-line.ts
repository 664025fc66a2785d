/** The confidence of a belief over time, as the points of a line in a picture. */
import type { BeliefVersion } from '../../../src/contract/beliefs.ts'

export interface ChartSize {
  readonly width: number
  readonly height: number
  /** Room around the line. */
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export interface ChartPoint {
  readonly x: number
  readonly y: number
  readonly version: BeliefVersion
}

export interface ConfidenceLine {
  readonly points: readonly ChartPoint[]
  /** Of the line: it holds a value until the next change. */
  readonly path: string
  /** Of the area below it. */
  readonly area: string
  readonly from: number
  readonly to: number
}

const leastSpanMs = 3_600_000

/** A forgotten belief has no confidence left to show, so the line ends there. */
export function confidenceLine(versions: readonly BeliefVersion[], now: number, size: ChartSize): ConfidenceLine {
  const from = versions[0]?.at ?? now
  const ended = versions.at(-1)
  const isOver = ended?.what === 'forgotten' || ended?.what === 'replaced'
  const to = Math.max(isOver ? ended.at : now, from + leastSpanMs)
  const x = (at: number) =>
    rounded(
      size.left + ((size.width - size.left - size.right) * (Math.min(to, Math.max(from, at)) - from)) / (to - from),
    )
  const y = (confidence: number) => rounded(size.top + (size.height - size.top - size.bottom) * (1 - confidence))
  const points = versions.map((version) => ({ x: x(version.at), y: y(version.confidence), version }))
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return { points, path: '', area: '', from, to }
  const steps = points.slice(1).map((point) => `H${point.x}V${point.y}`)
  const path = `M${first.x} ${first.y}${steps.join('')}H${x(to)}`
  return { points, path, area: `${path}V${y(0)}H${first.x}Z`, from, to }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
