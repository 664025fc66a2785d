/** The round trip of a candidate that something offered to keep: decided by its confidence, shown to a person, saved. */
import { offerDecision, type OfferMode } from './pure/offer-decision.ts'
import { checkRequest, type SaveRequest, type SaveResult } from './save-note.ts'

export interface OfferOptions {
  /** Default: `ask`. */
  readonly mode?: OfferMode
  /** 0 to 1 (default: 0.8). */
  readonly threshold?: number
  /** Asks the person. Without it, nobody can be asked. */
  readonly confirm?: (preview: OfferPreview) => Promise<boolean>
}

export interface OfferPreview {
  readonly kind: string
  readonly slug: string | undefined
  readonly text: string
  /** Whether every session is to begin with it. */
  readonly alwaysLoad: boolean
  readonly confidence: number | undefined
  readonly reason: string | undefined
}

export type OfferResult =
  | { readonly outcome: 'saved'; readonly asked: boolean; readonly saved: SaveResult }
  /** `off`: offers are switched off. `unsure`: no person could be asked. `declined`: a person said no. */
  | { readonly outcome: 'skipped'; readonly why: 'off' | 'unsure' | 'declined' }

export async function offerSave(
  candidate: SaveRequest,
  { mode = 'ask', threshold, confirm }: OfferOptions,
  save: (request: SaveRequest) => Promise<SaveResult>,
): Promise<OfferResult> {
  const { kind, slug, text, confidence, confidenceReason: reason } = candidate
  const { alwaysLoad = false } = candidate
  const usual = offerDecision({ mode, confidence, threshold, interactive: confirm !== undefined })
  if (usual === 'skip') return { outcome: 'skipped', why: mode === 'off' ? 'off' : 'unsure' }
  // What every session is shown is a person's to decide, however sure somebody is.
  const asked = confirm !== undefined && (usual === 'ask' || alwaysLoad)
  const wanted: SaveRequest = asked ? { ...candidate, by: 'person' } : candidate
  // A note that cannot be saved is refused before a person is asked.
  checkRequest(wanted)
  if (asked && !(await confirm({ kind, slug, text, alwaysLoad, confidence, reason })))
    return { outcome: 'skipped', why: 'declined' }
  return { outcome: 'saved', asked, saved: await save(wanted) }
}
