/**
 * Which tools may be used. No scope leaves all of them, a scope of nothing leaves none: the two are different wishes, and
 * a list that was emptied by mistake must not open everything.
 */
export function scopeTools<T extends { readonly name: string }>(
  tools: readonly T[],
  scope: readonly string[] | undefined,
): readonly T[] {
  if (scope === undefined) return tools
  const allowed = new Set(scope.map((name) => name.trim()).filter((name) => name !== ''))
  return tools.filter(({ name }) => allowed.has(name.trim()))
}
