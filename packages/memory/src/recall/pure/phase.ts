/** What each phase of work wants to know first, and how much of it. */
export const phases = ['setup', 'plan', 'work', 'review', 'release', 'bugfix', 'documenter'] as const

/** A phase of work. */
export type Phase = (typeof phases)[number]

export interface PhaseScope {
  /** Directories of the project, `_index` for its front page; the order is the priority. */
  readonly sections: readonly string[]
  readonly budget: number
  /** The place of a section by every name a directory or a kind of it may have: it is asked of every note there is. */
  readonly places: ReadonlyMap<string, number>
}

// Older vaults name a directory in the plural, new notes are filed under their kind.
const kinds: Readonly<Record<string, readonly string[]>> = {
  decisions: ['decisions', 'decision'],
  'open-questions': ['open-questions', 'open-question', 'question'],
  'known-issues': ['known-issues', 'known-issue', 'issue', 'fix'],
  'wiki-style': ['wiki-style'],
}

function scopeOf(sections: readonly string[], budget: number): PhaseScope {
  const names = sections.flatMap((section, place) => (kinds[section] ?? []).map((name) => [name, place] as const))
  return { sections, budget, places: new Map(names) }
}

export const phaseScopes: Readonly<Record<Phase, PhaseScope>> = {
  setup: scopeOf(['_index'], 4000),
  plan: scopeOf(['_index', 'decisions', 'open-questions'], 6000),
  work: scopeOf(['decisions', 'known-issues'], 6000),
  review: scopeOf([], 4000),
  release: scopeOf(['decisions'], 6000),
  bugfix: scopeOf(['known-issues'], 6000),
  documenter: scopeOf(['_index', 'decisions', 'wiki-style'], 10_000),
}

/** Anything that is no phase counts as work. */
export function phaseOf(name: unknown): Phase {
  return phases.find((phase) => phase === name) ?? 'work'
}

/** Which section of the phase a note belongs to, by its directory or its kind: its place among them, the first where several fit. */
export function sectionIn(
  { sections, places }: PhaseScope,
  note: { readonly stem: string; readonly section: string; readonly kind: string },
): number | undefined {
  const isFront = note.section === '' && note.stem === '_index' && sections.includes('_index')
  const front = isFront ? sections.indexOf('_index') : undefined
  const fitting = [front, places.get(note.section), places.get(note.kind)].filter((place) => place !== undefined)
  return fitting.length === 0 ? undefined : Math.min(...fitting)
}
