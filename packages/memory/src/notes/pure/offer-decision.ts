/** Whether a candidate is kept at once, shown to a person first, or dropped. */

/** `ask` keeps what is sure enough and shows the rest; `silent` keeps everything offered; `off` keeps nothing. */
export type OfferMode = 'ask' | 'silent' | 'off'

export const defaultConfidenceThreshold = 0.8

export function offerDecision(offer: {
  readonly mode: OfferMode
  readonly confidence: number | undefined
  readonly threshold?: number | undefined
  /** Whether there is a person to ask. */
  readonly interactive: boolean
}): 'save' | 'ask' | 'skip' {
  const { mode, confidence, threshold = defaultConfidenceThreshold, interactive } = offer
  if (mode === 'off') return 'skip'
  const sure = threshold >= 0 && threshold <= 1 ? threshold : defaultConfidenceThreshold
  if (mode === 'silent' || (confidence !== undefined && confidence >= sure)) return 'save'
  return interactive ? 'ask' : 'skip'
}
