/** The claims of rows of one owner as one append, with what is known of their heads. */
import { claimDraft, type KnownHead, type PreparedAppend, type TakeOptions } from '@agentm/nodes'
import type { AheadRow } from './ahead.ts'
import { headOf, knownOf } from './node-rows.ts'
import type { StoreParts } from './store-parts.ts'

export interface ClaimAppend {
  readonly append: PreparedAppend
  readonly known: Map<string, KnownHead>
  readonly full: boolean
}

/** Nothing where there are no rows. */
export function claimAppend(
  { concepts, clock }: Pick<StoreParts, 'concepts' | 'clock'>,
  rows: readonly AheadRow[],
  { session, actor, durability = 'normal' }: TakeOptions,
): ClaimAppend | undefined {
  const claims = rows.map((row) =>
    claimDraft(concepts.get(row.concept), headOf(row), { session, actor, durability, at: clock.now() }),
  )
  const [first] = claims
  if (first === undefined) return undefined
  const append = {
    ...first,
    drafts: claims.flatMap(({ drafts }) => drafts),
    expects: new Map(claims.flatMap(({ expects }) => [...expects])),
    writes: claims.flatMap(({ writes }) => writes),
    reads: [],
  }
  return { append, known: new Map(rows.map((row) => [row.id, knownOf(row)])), full: durability === 'full' }
}
