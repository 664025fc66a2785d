/** A text as the sentences and list items it is made of, without their bullets, and without "We saw that". */

// Of a text that is longer, the rest is a document and no report.
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
