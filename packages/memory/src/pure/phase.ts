/** What each phase of work wants to know first, and how much of it. */
export const phases = ['setup', 'plan', 'work', 'review', 'release', 'bugfix', 'documenter'] as const

export type Phase = (typeof phases)[number]

export interface PhaseScope {
  /** Directories of the project, `_index` for its front page; the order is the priority. */
  readonly sections: readonly string[]
  readonly budget: number
}

export const phaseScopes: Readonly<Record<Phase, PhaseScope>> = {
  setup: { sections: ['_index'], budget: 4000 },
  plan: { sections: ['_index', 'decisions', 'open-questions'], budget: 6000 },
  work: { sections: ['decisions', 'known-issues'], budget: 6000 },
  review: { sections: [], budget: 4000 },
  release: { sections: ['decisions'], budget: 6000 },
  bugfix: { sections: ['known-issues'], budget: 6000 },
  documenter: { sections: ['_index', 'decisions', 'wiki-style'], budget: 10_000 },
}

/** Anything that is no phase counts as work. */
export function phaseOf(name: unknown): Phase {
  return phases.find((phase) => phase === name) ?? 'work'
}

// Older vaults name a directory in the plural, new notes are filed under their kind.
const kinds: Readonly<Record<string, readonly string[]>> = {
  decisions: ['decisions', 'decision'],
  'open-questions': ['open-questions', 'open-question', 'question'],
  'known-issues': ['known-issues', 'known-issue', 'issue', 'fix'],
  'wiki-style': ['wiki-style'],
}

/** The section of the phase a note belongs to, by its directory or its kind. */
export function sectionIn(
  scope: PhaseScope,
  note: { readonly stem: string; readonly section: string; readonly kind: string },
) {
  return scope.sections.find((section) =>
    section === '_index'
      ? note.section === '' && note.stem === '_index'
      : (kinds[section] ?? []).some((kind) => kind === note.section || kind === note.kind),
  )
}
