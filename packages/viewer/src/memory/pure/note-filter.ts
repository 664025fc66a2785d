/** Which notes of the list are shown, and how many there are of each project, kind and tag. */
import type { Facet, NoteRow } from '../../contract/memory.ts'
import { momentOf } from './moment.ts'

/** Empty texts ask for nothing. */
export interface NoteFilter {
  readonly project: string
  readonly kind: string
  readonly tags: readonly string[]
  readonly from: number
  readonly to: number
}

export interface NoteSelection {
  readonly notes: readonly NoteRow[]
  readonly projects: readonly Facet[]
  readonly kinds: readonly Facet[]
  readonly tags: readonly Facet[]
}

export function noteFilterOf(query: URLSearchParams, now: number): NoteFilter {
  return {
    project: query.get('project') ?? '',
    kind: query.get('kind') ?? '',
    tags: query.getAll('tag').filter((tag) => tag !== ''),
    from: momentOf(query.get('newer') ?? '', now) ?? -Infinity,
    to: momentOf(query.get('older') ?? '', now) ?? Infinity,
  }
}

/** Counts of a field say what one would get by choosing another value of it, so the chosen value of that field is left aside. */
export function selectNotes(all: readonly NoteRow[], filter: NoteFilter): NoteSelection {
  const notes: NoteRow[] = []
  const [projects, kinds, tags] = [new Counts(), new Counts(), new Counts()]
  for (const note of all) {
    if (!isInTime(note, filter) || !filter.tags.every((tag) => note.tags.includes(tag))) continue
    const isOfProject = filter.project === '' || note.project === filter.project
    const isOfKind = filter.kind === '' || note.kind === filter.kind
    if (isOfKind) projects.add(note.project)
    if (isOfProject) kinds.add(note.kind)
    if (!isOfKind || !isOfProject) continue
    notes.push(note)
    for (const tag of note.tags) if (!isMark(tag)) tags.add(tag)
  }
  return { notes, projects: projects.facets(), kinds: kinds.facets(), tags: tags.facets() }
}

/** Notes without a date are left out as soon as a time is asked for. */
function isInTime({ createdAt }: NoteRow, { from, to }: NoteFilter): boolean {
  if (from === -Infinity && to === Infinity) return true
  return createdAt > 0 && createdAt >= from && createdAt < to
}

/** By which a repeated request finds its note. It says nothing to a person. */
export function isMark(tag: string): boolean {
  return tag.startsWith('idem-')
}

const mostNamed = 40

class Counts {
  readonly #counts = new Map<string, number>()

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  facets(): readonly Facet[] {
    return [...this.#counts]
      .map(([name, count]) => ({ name, count }))
      .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
      .slice(0, mostNamed)
  }
}
