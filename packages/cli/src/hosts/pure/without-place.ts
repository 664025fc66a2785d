/** A value in which an installed `agentm` has no directory: it moves with every version of Node, and stays ours. */
export function withoutPlace(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^(?:\/|[A-Za-z]:[\\/])(?:.*[\\/])?agentm(?:\.cmd)?$/, 'agentm')
  if (Array.isArray(value)) return value.map(withoutPlace)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutPlace(inner)]))
}
