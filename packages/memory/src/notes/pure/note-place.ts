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
  const project = projectOf(key)
  const own = project === undefined || foreign.has(project.group) ? undefined : project
  const top = key.slice(0, Math.max(0, key.indexOf('/')))
  const group = own?.group ?? top
  const inside = key.indexOf('/', group.length + 1)
  return {
    isOurs: own !== undefined || isPersonalHome(group),
    partition: own?.slug ?? globalPartition,
    group,
    section: group === '' || inside === -1 ? '' : key.slice(group.length + 1, inside),
    stem: key.slice(key.lastIndexOf('/') + 1).replace(/\.md$/i, ''),
  }
}

const none: ReadonlySet<string> = new Set()

/** The project a key lies in, whosever it is: its name, and its directory. */
export function projectOf(key: string): { readonly slug: string; readonly group: string } | undefined {
  const [, group, slug] = inProject.exec(key) ?? []
  return group === undefined || slug === undefined ? undefined : { slug, group }
}

// Asked of every note there is, by processes that are over before anything would be optimized.
const inProject = new RegExp(`^((?:${projectHomes.join('|')})/([^/]+))/`)
const inHome = new RegExp(`^(?:${[...projectHomes, ...personalHomes].join('|')})/`)

/** Whether a key lies in a home of ours by its name. */
export function isInHome(key: string): boolean {
  return inHome.test(key)
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
  const reserved = name.startsWith('_') ? reservedAs(name, isDirectory) : undefined
  if (reserved === 'machinery' || (reserved !== undefined && placeOf(key, foreign).isOurs)) return reserved
  return isDirectory || isMarkdown(name) ? undefined : 'no-note'
}

function reservedAs(name: string, isDirectory: boolean): Exclusion | undefined {
  if (machineryNames.has(name)) return 'machinery'
  if (name === archiveName) return 'archive'
  return name === inboxName || (!isDirectory && name.startsWith('_inbox-')) ? 'inbox' : undefined
}

export function isMarkdown(name: string): boolean {
  return name.endsWith('.md') || /\.md$/i.test(name)
}
