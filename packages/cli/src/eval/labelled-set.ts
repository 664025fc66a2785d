/** Notes, and questions whose answers are known: what a search is measured with. */

export interface LabelledNote {
  readonly id: string
  readonly title: string
  readonly text: string
  /** When it was written, as a date that `Date.parse` reads. */
  readonly at?: string
  /** The file to write (default: an entry with the title, the text and the time). */
  readonly file?: { readonly path: string; readonly text: string }
}

export interface LabelledQuestion {
  readonly id: string
  readonly text: string
  /** The ids of the notes that answer it. */
  readonly gold: readonly string[]
  /** How well each of them answers (default: all alike). Only the order of several right notes depends on it. */
  readonly grades?: Readonly<Record<string, number>>
  /** The kind of question; each kind gets a row of its own. */
  readonly kind: string
  /** When it was asked (default: at the time of the newest note). */
  readonly at?: string
  /** The notes it is asked of (default: all). */
  readonly among?: ReadonlySet<string>
}

export interface LabelledSet {
  readonly name: string
  readonly corpus: readonly LabelledNote[]
  readonly queries: readonly LabelledQuestion[]
}
