/** The graph of a small plan, laid out from left to right. Loaded when a graph is first shown. */
import { Graph, layout } from '@dagrejs/dagre'
import type { StepRow } from '../../src/contract/plans.ts'
import { type Layout, margin, nodeSize } from './pure/layers.ts'

export function dagreLayout(steps: ReadonlyMap<string, StepRow>): Layout {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 60, marginx: margin, marginy: margin })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const id of steps.keys()) graph.setNode(id, { ...nodeSize })
  for (const { id, dependsOn } of steps.values())
    for (const from of dependsOn) if (steps.has(from)) graph.setEdge(from, id)
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number }
  const places = new Map(
    graph.nodes().map((id) => {
      const { x, y } = graph.node(id) as { readonly x: number; readonly y: number }
      return [id, { x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 }]
    }),
  )
  return { places, width, height }
}
