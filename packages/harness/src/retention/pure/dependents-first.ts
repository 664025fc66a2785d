/** Orders nodes so that each comes before the nodes that it depends on. Within a cycle the order is arbitrary. */
export interface Dependent {
  readonly id: string
  readonly dependsOn: readonly string[]
}

export function dependentsFirst<T extends Dependent>(nodes: readonly T[]): readonly T[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const seen = new Set<string>()
  const dependenciesFirst: T[] = []
  for (const start of nodes) {
    // A node is on the stack twice: it is finished when its dependencies, which are pushed above it, are.
    const stack: { readonly node: T; readonly isDone: boolean }[] = [{ node: start, isDone: false }]
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const { node, isDone } = top
      if (isDone) dependenciesFirst.push(node)
      if (isDone || seen.has(node.id)) continue
      seen.add(node.id)
      stack.push({ node, isDone: true })
      for (const id of node.dependsOn) {
        const dependency = byId.get(id)
        if (dependency !== undefined && !seen.has(id)) stack.push({ node: dependency, isDone: false })
      }
    }
  }
  return dependenciesFirst.toReversed()
}
