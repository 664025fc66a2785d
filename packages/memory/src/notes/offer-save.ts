/** Handles a candidate that a program offers to save: its confidence decides, a person is asked if needed, and it is saved. */
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
  /** Whether it would be shown at the start of every session. */
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
  // Loading in every session is always decided by a person, whatever the confidence.
  const asked = confirm !== undefined && (usual === 'ask' || alwaysLoad)
  const wanted: SaveRequest = asked ? { ...candidate, by: 'person' } : candidate
  // A note that cannot be saved is refused before a person is asked.
  checkRequest(wanted)
  if (asked && !(await confirm({ kind, slug, text, alwaysLoad, confidence, reason })))
    return { outcome: 'skipped', why: 'declined' }
  return { outcome: 'saved', asked, saved: await save(wanted) }
}
