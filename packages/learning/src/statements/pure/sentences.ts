/** Splits a text into sentences and list items, without bullets and without introductions such as "We saw that". */

// The rest of a longer text is a document rather than a report, and is ignored.
const mostSentences = 60

const bullet = /^\s*(?:[-*+>#•✅❌☑]+|\d+[.)])\s+/u
const leadIn =
  /^(?:(?:we|i|it) )?(?:(?:have|has) )?(?:also |again )?(?:saw|noticed|found(?: out)?|learned|learnt|confirmed|verified|discovered|note[ds]?|remember|turns out|observed)(?: again)?(?:,? that\b|:)\s+/i

export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n]+|(?<=[.!?。！？])\s+/u, mostSentences)
    .map((piece) => piece.replace(bullet, '').replace(leadIn, '').trim())
    .filter((piece) => piece !== '')
}
