/** Adds new evidence to the sources of a belief: the union of both lists in first-seen order, without empty ids. */
export function mergeProvenance(prior: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...prior, ...added])].filter((id) => id !== '')
}
