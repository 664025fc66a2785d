/** Counts what an import did, with the reasons for what it left out. */
import type { ImportResult } from '@agentm/memory/notes'
import { redactSecrets } from '@agentm/nodes'
import type { ImportEntry, LeftOut } from './import-entry.ts'

export interface SkippedEntries {
  readonly why: string
  readonly count: number
  /** Some of them. */
  readonly examples: readonly string[]
}

export interface ImportReport {
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  /** Entries whose text another note has. */
  readonly known: number
  readonly skipped: readonly SkippedEntries[]
  /** In how many notes secrets were replaced, and which kinds. */
  readonly redacted: { readonly notes: number; readonly kinds: readonly string[] }
  /** The titles of some new and changed notes. */
  readonly titles: readonly string[]
}

const mostTitles = 5
const mostExamples = 3

const reasons = {
  forgotten: 'changed there, but forgotten here; a forgotten note stays forgotten',
  'edited-here': 'changed there, but the note was edited here, too; agentm supersede replaces it',
  'person-needed': 'changed there, but an agent did not write the note; run the command at a terminal',
} as const

export class ImportCount {
  readonly #outcomes = { new: 0, changed: 0, unchanged: 0, known: 0, skipped: 0 }
  readonly #skipped = new Map<string, { count: number; examples: string[] }>()
  readonly #kinds = new Set<string>()
  readonly #titles: string[] = []
  readonly #projects = new Map<string, number>()
  #redacted = 0
  #entries = 0

  result({ title }: ImportEntry, { outcome, why, redacted, key }: ImportResult): void {
    this.#entries++
    this.#outcomes[outcome]++
    if (redacted.length > 0) this.#redacted++
    for (const kind of redacted) this.#kinds.add(kind)
    if (why !== undefined) this.#skip(reasons[why], key ?? '')
    if ((outcome === 'new' || outcome === 'changed') && this.#titles.length < mostTitles)
      this.#titles.push(redactSecrets(title))
  }

  leftOut({ place, why }: LeftOut): void {
    this.#entries++
    this.#skip(why, place)
  }

  otherProject(project: string): void {
    this.#entries++
    this.#projects.set(project, (this.#projects.get(project) ?? 0) + 1)
  }

  /** Entries that were read, whatever became of them. */
  get entries(): number {
    return this.#entries
  }

  report(): ImportReport {
    const { new: added, changed, unchanged, known } = this.#outcomes
    const skipped = [...this.#skipped].map(([why, found]) => ({ why, ...found }))
    return {
      new: added,
      changed,
      unchanged,
      known,
      skipped: [...skipped, ...this.#others()],
      redacted: { notes: this.#redacted, kinds: [...this.#kinds].toSorted() },
      titles: this.#titles,
    }
  }

  #others(): readonly SkippedEntries[] {
    const count = [...this.#projects.values()].reduce((sum, each) => sum + each, 0)
    const examples = [...this.#projects.keys()].slice(0, mostExamples)
    return count === 0 ? [] : [{ why: 'of another project; --only names it', count, examples }]
  }

  #skip(why: string, example: string): void {
    const found = this.#skipped.get(why) ?? { count: 0, examples: [] }
    found.count++
    if (found.examples.length < mostExamples) found.examples.push(example)
    this.#skipped.set(why, found)
  }
}
