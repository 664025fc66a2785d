/** What a loop reports while it runs, as an observation that can be written to a log unchanged. */
export interface LoopObservation {
  readonly kind: 'tool_result' | 'error' | 'note' | 'decision'
  /** For people and for recall. */
  readonly content: string
  /**
   * By kind. `tokens` and `toolCalls` are told once each, so that their sums over all observations are what was spent;
   * a stop is a note with its `reason`.
   */
  readonly data: Readonly<Record<string, unknown>>
}

export type Observe = (observation: LoopObservation) => Promise<void> | void
