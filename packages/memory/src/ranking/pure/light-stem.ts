/**
 * The common stem of the forms of a word in a language other than English: its endings are removed until none is left. This finds
 * fewer exceptions than a grammar does, but it treats all forms alike, which is what a search needs.
 */
import type { Language } from './languages.ts'

// A shorter stem would stand for many words. A vowel is the surer ending.
const shortestStem = 3
const shortestBeforeConsonant = 4
const shortestAfterPrefix = 4

/** `word` is in lower case without accents. */
export function lightStem(word: string, { endings, prefix, changes }: Language): string {
  let stem = word
  for (let shorter = withoutEnding(stem, endings); shorter !== stem; shorter = withoutEnding(stem, endings))
    stem = shorter
  for (const [sound, becomes] of changes) {
    const changed = stem.replace(sound, becomes)
    if (changed.length >= shortestStem) stem = changed
  }
  const found = prefix?.exec(stem)
  const opening = found?.[1]
  if (opening === undefined || found === null || found === undefined) return stem
  const before = found[0].slice(0, found[0].length - opening.length)
  const rest = before + stem.slice(found[0].length)
  return rest.length >= shortestAfterPrefix + before.length ? rest : stem
}

function withoutEnding(word: string, endings: readonly string[]): string {
  for (const ending of endings) {
    const shortest = startsWithVowel.test(ending) ? shortestStem : shortestBeforeConsonant
    if (word.length - ending.length < shortest || !word.endsWith(ending)) continue
    const stem = word.slice(0, word.length - ending.length)
    // What is left must be a syllable.
    if (hasVowel.test(stem)) return stem
  }
  return word
}

const hasVowel = /[aeiouyаеиоуыэюяіє]/
const startsWithVowel = /^[aeiouyаеиоуыэюяієьи]/
