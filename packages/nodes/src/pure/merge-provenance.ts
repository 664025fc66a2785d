/** Where a belief comes from, grown by new evidence: a union in first-seen order, empty ids dropped. */
export function mergeProvenance(prior: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...prior, ...added])].filter((id) => id !== '')
}
