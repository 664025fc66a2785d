/**
 * The tools that may be used. Without a list all tools are allowed; an empty list allows none, so that a list that was emptied by
 * mistake does not allow everything.
 */
export function scopeTools<T extends { readonly name: string }>(
  tools: readonly T[],
  scope: readonly string[] | undefined,
): readonly T[] {
  if (scope === undefined) return tools
  const allowed = new Set(scope.map((name) => name.trim()).filter((name) => name !== ''))
  return tools.filter(({ name }) => allowed.has(name.trim()))
}
