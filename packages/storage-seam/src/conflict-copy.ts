/**
 * Sync programs keep both versions when two devices changed one file, each program under a name of its own. Such a copy
 * is recognised so that recall can leave it out and a person can be shown the pair; it is never changed or removed here.
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
  /** Name of the file it is a version of. */
  readonly original: string
}

/** Words for “copy of” that Drive puts before a name, by language. */
const copyOf = /^(?:copy of|kopie von|copie de|copia de|copia di|cópia de|kopia|kopi av|kopie van) /i

/**
 * What `name` is a conflict copy of, judged beside its `siblings`. Names that people also use (`Plan 2.md`, `Plan (2).md`,
 * `Copy of plan.md`) count only while the original lies beside them.
 */
export function conflictCopy(name: string, siblings: ReadonlySet<string>): ConflictCopy | undefined {
  return families.map((recognise) => recognise(name, siblings)).find((found) => found !== undefined)
}

type Recogniser = (name: string, siblings: ReadonlySet<string>) => ConflictCopy | undefined

const families: readonly Recogniser[] = [
  // Drive, Dropbox, Nextcloud, Obsidian Sync: `note (Anna's conflicted copy 2026-01-02).md`, `note (Conflicted copy laptop 202601021234).md`
  (name) => marked(name, 'conflicted-copy', / ?\([^()]*conflicted copy[^()]*\)/i),
  (name) =>
    marked(name, 'dropbox-case', / ?\((?:case conflict|selective sync conflict|unicode encoding conflict)[^()]*\)/i),
  (name) => marked(name, 'bracket-conflict', / ?\[conflict[^\]]*\](?: - [^.]*)?/i),
  // Syncthing: `note.sync-conflict-20260102-030405-ABCDEF7.md`
  (name) => marked(name, 'syncthing', /\.sync-conflict-\d{8}-\d{6}-[0-9A-Z]+/),
  // Synology Drive: `note_laptop_Jan-02-030405-2026_Conflict.md`
  (name) => marked(name, 'synology', /_[^_]+_[A-Za-z]{3}-\d{2}-\d{6}-\d{4}_(?:Case)?Conflict\d*/),
  (name) => marked(name, 'resilio', /\.Conflict(?=\.|$)/),
  (name, siblings) => beside(name, siblings, 'copy-of', name.replace(copyOf, '')),
  (name, siblings) => beside(name, siblings, 'numbered', name.replace(/\s\(\p{Nd}+\)(?=(?:\.[^.]*)?$)/u, '')),
  // iCloud: `note 2.md`
  (name, siblings) => beside(name, siblings, 'icloud', name.replace(/ [2-9]\d?(?=(?:\.[^.]*)?$)/, '')),
]

function marked(name: string, family: ConflictCopy['family'], mark: RegExp): ConflictCopy | undefined {
  return mark.test(name) ? { family, original: name.replace(mark, '') } : undefined
}

function beside(
  name: string,
  siblings: ReadonlySet<string>,
  family: ConflictCopy['family'],
  original: string,
): ConflictCopy | undefined {
  return original !== name && siblings.has(original) ? { family, original } : undefined
}
