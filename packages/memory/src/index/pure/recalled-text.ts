/**
 * The part of a note's text that recall searches. A note may contain a whole book by mistake, and splitting it into words would
 * delay every query. The file itself is not changed.
 */

/** In characters; about forty pages. */
export const mostRecalled = 100_000

/** The beginning of the text, cut at the end of a line if one is near. */
export function recalledText(body: string): string {
  if (body.length <= mostRecalled) return body
  const cut = body.slice(0, mostRecalled)
  const line = cut.lastIndexOf('\n')
  const whole = line > mostRecalled / 2 ? cut.slice(0, line) : cut
  // A surrogate pair is not split.
  return /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(0, -1) : whole
}

/** A larger file is not opened for recall. It is reported as unreadable. */
export const mostRecalledBytes = 8_000_000
