/**
 * Recognises conflict copies. When two devices change one file, a sync program keeps both versions and gives the copy a name in its own
 * pattern. Recall leaves copies out, and a person can be shown each pair. This package never changes or removes a copy.
 *
 * Hiding a person's own note is worse than showing a copy. Therefore a name counts as a copy for one of two reasons only: it contains a
 * mark that nobody types, such as a program's word together with a date, or its original is in the same directory.
 */
export interface ConflictCopy {
  readonly family:
    | 'conflicted-copy'
    | 'bracket-conflict'
    | 'copy-of'
    | 'numbered'
    | 'syncthing'
    | 'icloud'
    | 'dropbox-case'
    | 'synology'
    | 'resilio'
    | 'onedrive'
    | 'google-drive'
    | 'underscore-conflict'
    | 'seafile'
    | 'proton-drive'
  /** Name of the original file. */
  readonly original: string
}

/**
 * Which file `name` is a conflict copy of, given its `siblings`, the names in the same directory.
 *
 * @example
 * ```ts
 * import { conflictCopy } from '@agentm/storage-seam'
 *
 * const siblings = new Set(['note.md', 'note (conflicted copy 2026-11-02).md'])
 * console.log(conflictCopy('note (conflicted copy 2026-11-02).md', siblings)?.original) // note.md
 * ```
 */
export function conflictCopy(name: string, siblings: ReadonlySet<string>): ConflictCopy | undefined {
  if (!mayBeCopy.test(name)) return undefined
  const [stem, extension] = split(name)
  for (const { family, unmarked, stands } of families) {
    const originals = unmarked(stem, (each) => siblings.has(each + extension)).map((each) => each + extension)
    const beside = originals.find((original) => siblings.has(original)) ?? alike(family, originals, siblings)
    const original = beside ?? (stands === 'alone' ? originals[0] : undefined)
    if (original !== undefined) return { family, original }
  }
  return undefined
}

interface Family {
  readonly family: ConflictCopy['family']
  /** The names of possible originals, all without their extension. */
  readonly unmarked: (stem: string, isThere: (stem: string) => boolean) => readonly string[]
  /** `alone`: the mark is enough, because nobody types it. `beside`: counts only if the original exists too. */
  readonly stands: 'alone' | 'beside'
}

/** A quick test that few ordinary names pass. */
const mayBeCopy =
  /[([（【#]|[Cc][Oo][Nn][Ff]|-\p{Lu}| \d{1,2}(?:\.[^.]*)?$|^\p{L}+ (?:[Oo]f|von|de|di|av|van|af) |^[Kk]opia /u

/** Dates as Dropbox, Nextcloud, ownCloud and Obsidian Sync write them: 2026-01-02, also with a time, or 202601021234. */
const date = String.raw`(?:\d{4}-\d{2}-\d{2}|\d{8}(?:\d{4})?(?!\d))`
/** “Conflicted copy”, in the languages Dropbox speaks. */
const conflictedCopy = [
  'conflicted copy|conflict(?:ing)? copy',
  'in konflikt stehende kopie|konflikt-?kopie',
  'copie (?:en conflit|conflictuelle|conflictée)',
  'copia (?:en conflicto|conflictiva)',
  'copia in conflitto|cópia (?:em|com) conflito',
  'conflicterende kopie|kopie met conflict|conflicted kopie',
  'kopia (?:powodująca konflikt|w konflikcie)|konfliktní kopie|kópia v konflikte',
  'konfliktkopia|kopia i konflikt|konfliktkopi|kopi i konflikt|kopi med konflikt|modstridende kopi|motstridende kopi',
  'ristiriitainen kopio|ütköző példány|çakışan kopya|salinan konflik|bản sao xung đột',
  'конфликтующая копия|конфликтная копия|конфліктна копія',
  '競合コピー|競合しているコピー|問題のあるコピー|冲突副本|衝突複本|衝突副本|衝突的副本|충돌된 사본|충돌 사본',
].join('|')
/** The word “conflict” alone, as other programs and older versions write it. A person may write it too. */
const conflictWord =
  'conflict|konflikt|conflit|conflicto|conflitto|conflito|collision|конфликт|конфлікт|競合|冲突|衝突|충돌|xung đột'

const families: readonly Family[] = [
  // Syncthing: `note.sync-conflict-20260102-030405-ABCDEF7.md`
  { family: 'syncthing', unmarked: without(/\.sync-conflict-\d{8}-\d{6}(?:-[0-9A-Z]+)?$/), stands: 'alone' },
  // Dropbox, Nextcloud, Obsidian Sync: `note (Anna's conflicted copy 2026-01-02).md`, `note (Conflicted copy laptop 202601021234).md`
  { family: 'conflicted-copy', unmarked: without(parentheses(`(?:${conflictedCopy})`, date)), stands: 'alone' },
  // Synology Drive: `note_laptop_Jan-02-030405-2026_Conflict.md`
  {
    family: 'synology',
    unmarked: without(/_[^_]+_[A-Za-z]{3}-\d{2}-\d{6}-\d{4}_(?:Case)?Conflict\d*$/),
    stands: 'alone',
  },
  // ownCloud: `note_conflict-20260102-030405.md`; kDrive: `note_conflict_20260102_030405_1a2b3c4d5e.md`
  {
    family: 'underscore-conflict',
    unmarked: without(/_conflict[-_]\d{8}[-_]\d{6}(?:[-_][0-9A-Za-z]+)?$/i),
    stands: 'alone',
  },
  // Seafile: `note (SFConflict anna@example.com 2026-01-02-03-04-05).md`
  { family: 'seafile', unmarked: without(parentheses('SFConflict ', date)), stands: 'alone' },
  // Proton Drive: `note (# Name clash 2026-01-02 aB3dE #).md`
  {
    family: 'proton-drive',
    unmarked: without(/ ?\(?# Name clash \d{4}-\d{2}-\d{2} \S+ #\)?$/),
    stands: 'alone',
  },
  {
    family: 'dropbox-case',
    unmarked: without(parentheses('(?:case conflict|selective sync conflict|unicode encoding conflict)')),
    stands: 'beside',
  },
  {
    family: 'conflicted-copy',
    unmarked: without(parentheses(`(?:${conflictedCopy}|${conflictWord})`)),
    stands: 'beside',
  },
  // Drive: `note [Conflict 1] - Laptop.md`; pCloud: `note [conflicted].md`
  {
    family: 'bracket-conflict',
    unmarked: without(
      new RegExp(String.raw` ?[[【][^\][【】]*(?:${conflictWord})[^\][【】]*[\]】](?: - [^.]*)?$`, 'iu'),
    ),
    stands: 'beside',
  },
  { family: 'resilio', unmarked: without(/\.Conflict\d*$/i), stands: 'beside' },
  { family: 'google-drive', unmarked: without(/_conf ?\(\d+\)$/i), stands: 'beside' },
  { family: 'underscore-conflict', unmarked: without(/_conflict(?:[-_ ]?\d+)?$/i), stands: 'beside' },
  {
    family: 'copy-of',
    unmarked: without(/^(?:copy of|kopie von|copie de|copia de|copia di|cópia de|kopia|kopi av|kopi af|kopie van) /iu),
    stands: 'beside',
  },
  { family: 'numbered', unmarked: without(/\s\(\p{Nd}+\)$/u), stands: 'beside' },
  // iCloud's first copy is `note 2.md`. If `Chapter 1.md` exists too, the numbers count chapters.
  {
    family: 'icloud',
    unmarked: (stem, isThere) => (isThere(stem.replace(/\d+$/, '1')) ? [] : without(/ (?:[2-9]|[1-9]\d)$/)(stem)),
    stands: 'beside',
  },
  // OneDrive adds the name of the device: `note-DESKTOP-7Q2ABCD.md`, `note-Annas-MacBook-Pro-2.md`
  { family: 'onedrive', unmarked: withoutDevice, stands: 'beside' },
]

function without(mark: RegExp): (stem: string) => readonly string[] {
  return (stem) => [stem.replace(mark, '')].filter((unmarked) => unmarked !== stem && unmarked !== '')
}

/** The last part of a name, in parentheses, which contains each of these words in this order. */
function parentheses(...words: readonly string[]): RegExp {
  const inside = words.join('[^()（）]*')
  return new RegExp(String.raw` ?[(（][^()（）]*${inside}[^()（）]*[)）]$`, 'iu')
}

/**
 * Names that systems give to devices, or that contain an owner and a kind of device. Other names cannot be told from a word that a person
 * adds to a title: neither `plan-B.md` nor `setup-iPhone.md` is a copy.
 */
const deviceNames = [
  /^(?:DESKTOP|LAPTOP|WIN)-[A-Z0-9]{4,15}$/,
  /^[A-Z0-9-]*[A-Z0-9]-?(?:LAPTOP|NOTEBOOK|DESKTOP|THINKPAD|SURFACE|WORKSTATION|MACBOOK|IMAC|PC)$/,
  /^[\p{L}\d-]+-(?:MacBook|iMac|Mac|iPhone|iPad)(?:-(?:Air|Pro|mini|Studio))?$/u,
  /^(?:MacBook|iMac|Mac|iPhone|iPad)(?:-(?:Air|Pro|mini|Studio))?-(?:von|de|di|van|of)-[\p{L}\d-]+$/u,
]

function withoutDevice(stem: string): readonly string[] {
  const parts = stem.replace(/-\d+$/, '').split('-')
  return parts.flatMap((_, i) => (i > 0 && isDevice(parts.slice(i).join('-')) ? [parts.slice(0, i).join('-')] : []))
}

function isDevice(tail: string): boolean {
  return deviceNames.some((name) => name.test(tail))
}

/** Splits off the last extension, because the programs put their marks before it. */
function split(name: string): readonly [stem: string, extension: string] {
  const dot = name.lastIndexOf('.')
  if (dot <= 0 || /\s/.test(name.slice(dot))) return [name, '']
  // For a file without an extension, the part after the dot is the mark: `note.Conflict`, `note.sync-conflict-…`.
  return /^\.(?:Conflict\d*|sync-conflict-.*)$/i.test(name.slice(dot))
    ? [name, '']
    : [name.slice(0, dot), name.slice(dot)]
}

/**
 * Dropbox renames a file whose name another system would confuse with an existing one. The original is the existing file with the similar
 * name.
 */
function alike(
  family: ConflictCopy['family'],
  originals: readonly string[],
  siblings: ReadonlySet<string>,
): string | undefined {
  if (family !== 'dropbox-case' || originals.length === 0) return undefined
  const wanted = new Set(originals.map(folded))
  return [...siblings].find((name) => wanted.has(folded(name)))
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
