/**
 * The part of a note's text that recall searches. A note may contain a whole book by mistake, and splitting it into words would
 * delay every query. The file itself is not changed.
 */

/** Characters, about as much as forty pages. */
export const mostRecalled = 100_000

/** The beginning, up to the end of a line where there is one near. */
export function recalledText(body: string): string {
  if (body.length <= mostRecalled) return body
  const cut = body.slice(0, mostRecalled)
  const line = cut.lastIndexOf('\n')
  const whole = line > mostRecalled / 2 ? cut.slice(0, line) : cut
  // Half a character is no text.
  return /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(0, -1) : whole
}

/** A larger file is not opened for recall: it is named as one that cannot be read. */
export const mostRecalledBytes = 8_000_000
