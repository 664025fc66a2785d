/** What a loop reports while it runs, as an observation that can be written to a log unchanged. */
export interface LoopObservation {
  readonly kind: 'tool_result' | 'error' | 'note' | 'decision'
  /** The text for people and for recall. */
  readonly content: string
  /**
   * The fields depend on the kind. `tokens` and `toolCalls` are reported once each, so their sums over all observations are the
   * total usage. A stop is a note with its `reason`.
   */
  readonly data: Readonly<Record<string, unknown>>
}

export type Observe = (observation: LoopObservation) => Promise<void> | void
