/**
 * The common stem of the forms of an English word, after Porter (1980), with irregular forms replaced first. Words of other
 * alphabets, and words with digits, are returned unchanged.
 */
import { irregularForms } from './irregular-forms.ts'

/** The common stem of the forms of an English word. Other words are returned unchanged. */
export function stem(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word
  const base = irregularForms.get(word) ?? word
  if (base.length < 3) return base
  return [plural, participle, finalY, derived, adjectival, residual, finalE].reduce((form, step) => step(form), base)
}

function plural(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

function participle(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const found = /^(.+)(ed|ing)$/.exec(word)
  const base = found?.[1]
  if (base === undefined || !hasVowel(base)) return word
  if (/(at|bl|iz)$/.test(base)) return `${base}e`
  if (/([^aeioulsz])\1$/.test(base)) return base.slice(0, -1)
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base
}

function finalY(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

// Longest first if one ends in another, because the first match is used.
const derivations: readonly (readonly [suffix: string, becomes: string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['eli', 'e'],
]

function derived(word: string): string {
  return replaceSuffix(word, derivations)
}

const adjectives: readonly (readonly [suffix: string, becomes: string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

function adjectival(word: string): string {
  return replaceSuffix(word, adjectives)
}

function replaceSuffix(word: string, table: readonly (readonly [string, string])[]): string {
  const [suffix, becomes] = table.find(([ending]) => word.endsWith(ending)) ?? ['', '']
  const base = word.slice(0, word.length - suffix.length)
  return suffix !== '' && measure(base) > 0 ? base + becomes : word
}

const residues = /(ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|(?<=[st])ion|al|er|ic|ou)$/

function residual(word: string): string {
  const suffix = residues.exec(word)?.[1] ?? ''
  const base = word.slice(0, word.length - suffix.length)
  return suffix !== '' && measure(base) > 1 ? base : word
}

function finalE(word: string): string {
  const base = word.slice(0, -1)
  if (word.endsWith('e') && (measure(base) > 1 || (measure(base) === 1 && !endsShort(base)))) return base
  return word.endsWith('ll') && measure(word) > 1 ? base : word
}

/** How often a run of vowels is followed by a run of consonants. Porter calls it the measure of a stem. */
function measure(word: string): number {
  return pattern(word).match(/v+c+/g)?.length ?? 0
}

function hasVowel(word: string): boolean {
  return pattern(word).includes('v')
}

/** Consonant, vowel, consonant at the end, as in "hop": such a stem gets or keeps its e ("hope", "hoping"). */
function endsShort(word: string): boolean {
  return pattern(word).endsWith('cvc') && !/[wxy]$/.test(word)
}

/** Each letter as `v` or `c`; a y is a vowel after a consonant. */
function pattern(word: string): string {
  let letters = ''
  for (const letter of word) {
    const isVowel = 'aeiou'.includes(letter) || (letter === 'y' && letters.endsWith('c'))
    letters += isVowel ? 'v' : 'c'
  }
  return letters
}
