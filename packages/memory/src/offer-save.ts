/** The round trip of a candidate that something offered to keep: decided by its confidence, shown to a person, saved. */
import { offerDecision, type OfferMode } from './pure/offer-decision.ts'
import { checkRequest, type SaveRequest, type SaveResult } from './save-note.ts'

export interface OfferOptions {
  /** `ask` where absent. */
  readonly mode?: OfferMode
  /** 0 to 1; 0.8 where absent. */
  readonly threshold?: number
  /** Asks the person; without it nobody is there to ask. */
  readonly confirm?: (preview: OfferPreview) => Promise<boolean>
}

export interface OfferPreview {
  readonly kind: string
  readonly slug: string | undefined
  readonly text: string
  readonly confidence: number | undefined
  readonly reason: string | undefined
}

export type OfferResult =
  | { readonly outcome: 'saved'; readonly asked: boolean; readonly saved: SaveResult }
  /** `off`: offers are switched off. `unsure`: nobody was there to ask. `declined`: a person said no. */
  | { readonly outcome: 'skipped'; readonly why: 'off' | 'unsure' | 'declined' }

export async function offerSave(
  candidate: SaveRequest,
  { mode = 'ask', threshold, confirm }: OfferOptions,
  save: (request: SaveRequest) => Promise<SaveResult>,
): Promise<OfferResult> {
  const { kind, slug, text, confidence, confidenceReason: reason } = candidate
  const decision = offerDecision({ mode, confidence, threshold, interactive: confirm !== undefined })
  if (decision === 'skip') return { outcome: 'skipped', why: mode === 'off' ? 'off' : 'unsure' }
  // Nobody is asked about what could not be kept anyway.
  checkRequest(candidate)
  const asked = decision === 'ask'
  if (asked && confirm !== undefined && !(await confirm({ kind, slug, text, confidence, reason })))
    return { outcome: 'skipped', why: 'declined' }
  return { outcome: 'saved', asked, saved: await save(candidate) }
}
