/**
 * What the key of a note tells about it. Only this module names the directories, including older names, because a vault is kept
 * longer than its layout.
 */

/** Homes of notes that belong to no project, newest name first. */
export const personalHomes = ['personal', 'personal-private', 'memory'] as const

/** Homes of projects; the project is the next segment. */
export const projectHomes = ['projects', 'personal-projects', 'desk/projects'] as const

export const globalPartition = '_global'
export const inboxName = '_inbox'
/** The directory in the inbox that records rejected texts by their words, so that they are not proposed again. */
export const rejectedName = '_rejected'
export const archiveName = '_archive'
export const alwaysLoadName = '_always-load'
/** Beliefs that devices publish for each other, one directory per device. */
export const beliefsHome = 'beliefs'

export interface NotePlace {
  /** Whether it is in a directory of agentm, for a project or for none. Everything else is a person's own vault. */
  readonly isOurs: boolean
  /** The project's slug, or `_global`. */
  readonly partition: string
  /** `personal`, or the directory of the project. */
  readonly group: string
  /** The directory within the group, such as `decisions`; `''` for the group itself. */
  readonly section: string
  /** The file's name without `.md`. */
  readonly stem: string
}

/** `foreign` lists directories among the projects that are no agentm projects. They are treated like any other directory. */
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

/** The name and directory of the project that a key is in, whether or not it is an agentm project. */
export function projectOf(key: string): { readonly slug: string; readonly group: string } | undefined {
  const [, group, slug] = inProject.exec(key) ?? []
  return group === undefined || slug === undefined ? undefined : { slug, group }
}

// Compiled once, because it is used for every note, mostly by short processes.
const inProject = new RegExp(`^((?:${projectHomes.join('|')})/([^/]+))/`)
const inHome = new RegExp(`^(?:${[...projectHomes, ...personalHomes].join('|')})/`)

/** Whether a key is in a directory of agentm, by its name alone. */
export function isInHome(key: string): boolean {
  return inHome.test(key)
}

/**
 * Whether an entry of a directory shows that the directory is an agentm project: files that agentm makes there, or directories that
 * phases of work read.
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
 * Why a file or directory is left out of recall, by its last name; `undefined` if it may be a note. Only the inbox and the archive
 * in agentm's directories are left out, because a person may use these names elsewhere.
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
