/**
 * What a note's place says about it. The names of the directories are here and nowhere else, older ones included: a vault
 * outlives the layout it was made with.
 */

/** Homes of notes that belong to no project, newest name first. */
export const personalHomes = ['personal', 'personal-private', 'memory'] as const

/** Homes of projects; the project is the next segment. */
export const projectHomes = ['projects', 'personal-projects', 'desk/projects'] as const

export const globalPartition = '_global'
export const inboxName = '_inbox'
/** In the inbox: what a person turned down, by its words, so that it does not come back. */
export const rejectedName = '_rejected'
export const archiveName = '_archive'
export const alwaysLoadName = '_always-load'
/** Beliefs that devices publish for each other, by device. */
export const beliefsHome = 'beliefs'

export interface NotePlace {
  /** In a home of ours, of a project or of what belongs to none; everything else is a person's own vault. */
  readonly isOurs: boolean
  /** The project's slug, or `_global`. */
  readonly partition: string
  /** `personal`, or the directories of the project. */
  readonly group: string
  /** The directory within the group, such as `decisions`; `''` directly in it. */
  readonly section: string
  /** The file's name without `.md`. */
  readonly stem: string
}

/** `foreign` are directories in homes of projects that are no projects of ours; they are places like any other. */
export function placeOf(key: string, foreign: ReadonlySet<string> = none): NotePlace {
  const parts = key.split('/')
  const stem = (parts.at(-1) ?? '').replace(/\.md$/i, '')
  const project = projectOf(key)
  const own = project === undefined || foreign.has(project.group) ? undefined : project
  const group = own?.group ?? parts[0] ?? ''
  const inside = parts.slice(group.split('/').length, -1)
  return {
    isOurs: own !== undefined || (parts.length > 1 && isPersonalHome(group)),
    partition: own?.slug ?? globalPartition,
    group: parts.length === 1 ? '' : group,
    section: inside[0] ?? '',
    stem,
  }
}

const none: ReadonlySet<string> = new Set()

/** The project a key lies in, whosever it is: its name, and its directory. */
export function projectOf(key: string): { readonly slug: string; readonly group: string } | undefined {
  const home = projectHomes.find((each) => key.startsWith(`${each}/`))
  const slug = home === undefined ? undefined : key.slice(home.length + 1).split('/')[0]
  const isInside = home !== undefined && slug !== undefined && key.startsWith(`${home}/${slug}/`)
  return isInside && slug !== '' ? { slug, group: `${home}/${slug}` } : undefined
}

/**
 * Whether a name directly in a directory below a home of projects says that this is a project of ours: what our programs make
 * there, and the directories that the phases of work are told from.
 */
export function isProjectMark(name: string): boolean {
  return projectMarks.has(name)
}

const projectMarks: ReadonlySet<string> = new Set([
  '_harness',
  alwaysLoadName,
  '_index.md',
  'decisions',
  'open-questions',
  'known-issues',
  'wiki-style',
])

function isPersonalHome(directory: string): boolean {
  return personalHomes.some((home) => home === directory)
}

const machineryNames = new Set(['_meta', '_harness', '_skill-watchlist', '_idea-incubator', '_dream-staging'])

export type Exclusion = 'inbox' | 'archive' | 'machinery' | 'hidden' | 'no-note'

/**
 * Why a place is no note to recall, by its last name, or nothing where it may be one. An inbox and an archive are ours only in our
 * homes: in the rest of a vault a person may call a directory so.
 */
export function exclusionOf(
  key: string,
  { isDirectory, foreign }: { readonly isDirectory: boolean; readonly foreign?: ReadonlySet<string> },
): Exclusion | undefined {
  const name = key.slice(key.lastIndexOf('/') + 1)
  if (name.startsWith('.')) return 'hidden'
  if (machineryNames.has(name)) return 'machinery'
  if (name === inboxName && placeOf(key, foreign).isOurs) return 'inbox'
  if (name === archiveName && placeOf(key, foreign).isOurs) return 'archive'
  if (isDirectory) return undefined
  if (name.startsWith('_inbox-') && placeOf(key, foreign).isOurs) return 'inbox'
  return /\.md$/i.test(name) ? undefined : 'no-note'
}
