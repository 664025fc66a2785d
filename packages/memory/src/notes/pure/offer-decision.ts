/** Whether a candidate is saved at once, shown to a person first, or dropped. */

/** `ask` saves candidates with enough confidence and shows the others to a person; `silent` saves every candidate; `off` saves none. */
export type OfferMode = 'ask' | 'silent' | 'off'

export const defaultConfidenceThreshold = 0.8

export function offerDecision(offer: {
  readonly mode: OfferMode
  readonly confidence: number | undefined
  readonly threshold?: number | undefined
  /** Whether a person can be asked. */
  readonly interactive: boolean
}): 'save' | 'ask' | 'skip' {
  const { mode, confidence, threshold = defaultConfidenceThreshold, interactive } = offer
  if (mode === 'off') return 'skip'
  const sure = threshold >= 0 && threshold <= 1 ? threshold : defaultConfidenceThreshold
  if (mode === 'silent' || (confidence !== undefined && confidence >= sure)) return 'save'
  return interactive ? 'ask' : 'skip'
}
