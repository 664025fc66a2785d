/**
 * What a UTF-16 unit is to the tokenizer. Each unit is looked up with regular expressions once and then in a table, which makes
 * scanning a text several times as fast as matching it.
 */
export const characterClass = {
  other: 0,
  /** A letter, mark or digit of a script with spaces between words. */
  word: 1,
  /** A character of a script written without spaces between words. */
  unspaced: 2,
  /** May join the parts of an identifier, a path, a date or a version. */
  joint: 3,
  apostrophe: 4,
  /** Half of a character above U+FFFF. */
  surrogate: 5,
} as const

export type CharacterClass = (typeof characterClass)[keyof typeof characterClass]

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u
const word = /[\p{L}\p{M}\p{N}]/u
const joints = '_-./:@'
const unknown = 255

const classes = new Uint8Array(0x10000).fill(unknown)
// Those of ASCII are known without a regular expression, which takes long to compile.
classes.fill(characterClass.other, 0, 128)
for (const [first, last] of ['09', 'AZ', 'az'])
  classes.fill(characterClass.word, first?.charCodeAt(0), (last?.charCodeAt(0) ?? 0) + 1)
for (const each of joints) classes[each.charCodeAt(0)] = characterClass.joint
classes[39] = characterClass.apostrophe

/** The class of a UTF-16 unit. */
export function classOfUnit(unit: number): number {
  const known = classes[unit] ?? unknown
  if (known !== unknown) return known
  const found = unit >= 0xd800 && unit <= 0xdfff ? characterClass.surrogate : classify(String.fromCharCode(unit))
  classes[unit] = found
  return found
}

/** The class of a whole character, for those above U+FFFF. */
export function classify(character: string): CharacterClass {
  if (unspaced.test(character)) return characterClass.unspaced
  if (word.test(character)) return characterClass.word
  if (joints.includes(character)) return characterClass.joint
  return character === "'" || character === '’' ? characterClass.apostrophe : characterClass.other
}
