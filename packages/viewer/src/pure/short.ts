/** Ids without the prefix of their concept, as the page shows them and as its addresses carry them. */
export function short(id: string): string {
  return id.slice(id.lastIndexOf(':') + 1)
}
