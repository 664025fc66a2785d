/**
 * A file name for a note, from words in any language, that every file system, sync program and older tool accepts. Letters are
 * spelled in Latin if possible. If letters are lost, a part of the text's hash keeps two names distinct.
 */
import { contentHash } from '@agentm/storage-seam'

export const longestSlug = 48

const pattern = /^[a-z0-9][a-z0-9-]*$/
// Names Windows keeps for devices, with any extension.
const devices = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/

/** Whether a name can be used unchanged as a slug, a kind or a tag. */
export function isSlug(name: string): boolean {
  return pattern.test(name) && name.length <= 120 && !devices.test(name)
}

/** A file name for a note that every file system and sync program accepts. */
export function slugFor(words: string): string {
  const line =
    words
      .normalize('NFC')
      .trim()
      .split(/[\r\n]/)[0] ?? ''
  const spelled = latin(line.toLowerCase())
  const ascii = spelled.replaceAll(/['’]/g, '').replaceAll(/[^a-z0-9]+/g, '-')
  const isWhole = !/[\p{L}\p{N}]/u.test(spelled.replaceAll(/[a-z0-9]/g, ''))
  const readable = cut(ascii.replaceAll(/^-+|-+$/g, ''), isWhole ? longestSlug : longestSlug - 9)
  if (isWhole && readable !== '' && !devices.test(readable)) return readable
  const tail = contentHash(words.normalize('NFC').toWellFormed()).slice(0, 8)
  return `${readable === '' || devices.test(readable) ? 'note' : readable}-${tail}`
}

/** The same slug with a part of the fingerprint, to distinguish it from other notes. */
export function slugWith(slug: string, fingerprint: string, digits = 6): string {
  return `${cut(slug, longestSlug - digits - 1)}-${fingerprint.slice(0, digits)}`
}

/** Cuts at the end of a word if possible. */
function cut(slug: string, most: number): string {
  if (slug.length <= most) return slug
  const whole = slug.slice(0, most + 1).replace(/-[^-]*$/, '')
  return (whole.length > most / 2 ? whole : slug.slice(0, most)).slice(0, most).replace(/-+$/, '')
}

function latin(text: string): string {
  const spelled = Array.from(text, (letter) => spelling.get(letter) ?? letter).join('')
  const bare = spelled.normalize('NFKD').replaceAll(/\p{M}+/gu, '')
  return Array.from(bare, (letter) => spelling.get(letter) ?? letter).join('')
}

const spelling = new Map(
  (
    'ä ae ö oe ü ue ß ss æ ae œ oe ø oe å aa đ d ð d þ th ł l ħ h ı i ŋ ng ſ s & -and- ' +
    'а a б b в v г g д d е e ё yo ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ' +
    'ъ _ ы y ь _ э e ю yu я ya і i ї yi є ye ґ g ў u ј j љ lj њ nj ћ c ђ dj џ dz ' +
    'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, each, i, all) => {
      if (i % 2 === 0) pairs.push([each, (all[i + 1] ?? '').replace('_', '')])
      return pairs
    }, []),
)
