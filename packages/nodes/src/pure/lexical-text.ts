/**
 * Prepares text for word indexes, and splits a query into the words to search for. Scripts without spaces are indexed character by
 * character and searched in pairs of characters. Compound identifiers are indexed as a whole and by their parts.
 */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu
const unspacedRun = new RegExp(`(?:${unspaced.source})+`, 'gu')
const word = /[\p{L}\p{N}\p{M}]+/gu
const compound = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
const maxTerms = 64
/** Plain ASCII text: it has no combining characters and no script without spaces, so it needs no preparation. */
const plain = /^[\t\n\r -~]*$/

/** Prepares text for a word index. */
export function lexicalText(text: string): string {
  if (plain.test(text) && !compound.test(text)) return text
  const spaced = text.normalize('NFC').replace(unspaced, ' $& ')
  const parts = [...spaced.matchAll(word)].flatMap(([found]) => partsOf(found))
  return parts.length === 0 ? spaced : `${spaced}\n${parts.join(' ')}`
}

/**
 * The phrases to search for; each inner list is one phrase, and any of them may match. Stop words are dropped unless the query has no other
 * words.
 */
export function lexicalTerms(text: string): readonly (readonly string[])[] {
  const normal = text.normalize('NFC')
  const words = [...normal.replace(unspacedRun, ' ').matchAll(word)].flatMap(([found]) => [found, ...partsOf(found)])
  const meaningful = words.filter((found) => !stopWords.has(found.toLowerCase()))
  const pairs = [...normal.matchAll(unspacedRun)].flatMap(([run]) => pairsOf(Array.from(run)))
  const chosen = meaningful.length + pairs.length > 0 ? meaningful : words
  const phrases = [...chosen.map((found) => [found.toLowerCase()]), ...pairs]
  return [...new Map(phrases.map((phrase) => [phrase.join(' '), phrase])).values()].slice(0, maxTerms)
}

function pairsOf(characters: readonly string[]): readonly (readonly string[])[] {
  if (characters.length === 1) return [characters]
  return characters.slice(1).map((second, i) => [characters[i] ?? '', second])
}

function partsOf(found: string): readonly string[] {
  if (!compound.test(found)) return []
  return found
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(' ')
}

const stopWords = new Set(
  (
    'a an and are as at be but by did do does for from had has have he her his how i if in into is it its me my not of on ' +
    'or our she so some than that the their them then there these they this those to us was we were what when where which ' +
    'who why will with you your'
  ).split(' '),
)
