/** For each phase of work, which notes come first, and how many tokens they may take. */
export const phases = ['setup', 'plan', 'work', 'review', 'release', 'bugfix', 'documenter'] as const

/** A phase of work. */
export type Phase = (typeof phases)[number]

export interface PhaseScope {
  /** Directories of the project in order of priority; `_index` is its front page. */
  readonly sections: readonly string[]
  readonly budget: number
  /** The position of a section, by each name that a directory or a kind can have. It is used for every note. */
  readonly places: ReadonlyMap<string, number>
}

// Older vaults have directories in the plural; new notes are filed by kind.
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

/** An unknown phase counts as `work`. */
export function phaseOf(name: unknown): Phase {
  return phases.find((phase) => phase === name) ?? 'work'
}

/** The position of the note's section in the phase, by its directory or kind; the first one if several fit. */
export function sectionIn(
  { sections, places }: PhaseScope,
  note: { readonly stem: string; readonly section: string; readonly kind: string },
): number | undefined {
  const isFront = note.section === '' && note.stem === '_index' && sections.includes('_index')
  const front = isFront ? sections.indexOf('_index') : undefined
  const fitting = [front, places.get(note.section), places.get(note.kind)].filter((place) => place !== undefined)
  return fitting.length === 0 ? undefined : Math.min(...fitting)
}
