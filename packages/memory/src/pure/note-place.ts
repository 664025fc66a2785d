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
export const archiveName = '_archive'
export const alwaysLoadName = '_always-load'
/** Beliefs that devices publish for each other, by device. */
export const beliefsHome = 'beliefs'

export interface NotePlace {
  /** The project's slug, or `_global`. */
  readonly partition: string
  /** `personal`, or the directories of the project. */
  readonly group: string
  /** The directory within the group, such as `decisions`; `''` directly in it. */
  readonly section: string
  /** The file's name without `.md`. */
  readonly stem: string
}

export function placeOf(key: string): NotePlace {
  const parts = key.split('/')
  const stem = (parts.at(-1) ?? '').replace(/\.md$/i, '')
  const project = projectOf(key)
  const group = project?.group ?? parts[0] ?? ''
  const inside = parts.slice(group.split('/').length, -1)
  return {
    partition: project?.slug ?? globalPartition,
    group: parts.length === 1 ? '' : group,
    section: inside[0] ?? '',
    stem,
  }
}

/** The project a key lies in. */
function projectOf(key: string): { readonly slug: string; readonly group: string } | undefined {
  const home = projectHomes.find((each) => key.startsWith(`${each}/`))
  const slug = home === undefined ? undefined : key.slice(home.length + 1).split('/')[0]
  const isInside = home !== undefined && slug !== undefined && key.startsWith(`${home}/${slug}/`)
  return isInside && slug !== '' ? { slug, group: `${home}/${slug}` } : undefined
}

const machineryNames = new Set(['_meta', '_harness', '_skill-watchlist', '_idea-incubator', '_dream-staging'])

export type Exclusion = 'inbox' | 'archive' | 'machinery' | 'hidden' | 'no-note'

/** Why a name in a directory is no note to recall, or nothing where it may be one. Directories are asked by name alone. */
export function exclusionOf(name: string, { isDirectory }: { readonly isDirectory: boolean }): Exclusion | undefined {
  if (name.startsWith('.')) return 'hidden'
  if (name === inboxName) return 'inbox'
  if (name === archiveName) return 'archive'
  if (machineryNames.has(name)) return 'machinery'
  if (isDirectory) return undefined
  if (name.startsWith('_inbox-')) return 'inbox'
  return /\.md$/i.test(name) ? undefined : 'no-note'
}
