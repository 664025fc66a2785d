/**
 * The first cycle reachable from `starts`, as the list of its ids; `undefined` if there is none. Each node is visited once, without
 * recursion.
 */
export function findCycle(
  starts: Iterable<string>,
  targetsOf: (id: string) => readonly string[],
): readonly string[] | undefined {
  const finished = new Set<string>()
  for (const start of starts) {
    const cycle = finished.has(start) ? undefined : walk(start, targetsOf, finished)
    if (cycle !== undefined) return cycle
  }
  return undefined
}

function walk(start: string, targetsOf: (id: string) => readonly string[], finished: Set<string>) {
  const path: { readonly id: string; readonly rest: string[] }[] = [{ id: start, rest: [...targetsOf(start)] }]
  const onPath = new Set([start])
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const next = top.rest.pop()
    if (next === undefined) {
      path.pop()
      onPath.delete(top.id)
      finished.add(top.id)
    } else if (onPath.has(next)) {
      const ids = path.map(({ id }) => id)
      return ids.slice(ids.indexOf(next))
    } else if (!finished.has(next)) {
      path.push({ id: next, rest: [...targetsOf(next)] })
      onPath.add(next)
    }
  }
  return undefined
}
