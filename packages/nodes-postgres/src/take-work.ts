/**
 * Claims up to k ready nodes. Usually the next steps are known before a worker asks, because the server returns them with the previous
 * answer. Their claims are decided in advance, and one statement checks and writes them. If that fails twice, the server locks the next
 * heads in a transaction while the claims are decided.
 */
import type { Head, TakeOptions } from '@agentm/nodes'
import {
  checkOwner,
  claimDraft,
  foldFacts,
  type KnownHead,
  type NewVersion,
  SessionLostError,
} from '@agentm/nodes/store-kit'
import { headOf, knownOf, type KnownHeadRow } from './rows.ts'
import { type AppendCall, appendCall } from './pure/append-call.ts'
import type { StoreContext } from './store-context.ts'

/** The argument of the `take` function; its fields are those of the type `take_call`. */
export interface TakeCall {
  readonly append?: AppendCall['append'] | undefined
  readonly [field: string]: unknown
}

export interface TakeAnswer {
  readonly outcome?: 'lost'
  /** The sequence numbers of the decided claims, if all of them were still correct. */
  readonly seqs?: readonly number[] | null
  /** The next ready heads. */
  readonly ready?: readonly KnownHeadRow[] | null
}

interface Claims {
  readonly rows: readonly KnownHeadRow[]
  readonly versions: readonly NewVersion[]
  readonly call: AppendCall
}

interface Claimed {
  readonly head: Head
  readonly known: KnownHead
}

export async function takeWork(context: StoreContext, options: TakeOptions): Promise<readonly Head[]> {
  options.owners.forEach((owner) => checkOwner(owner))
  const concepts = options.concepts.filter((name) => context.concepts.get(name).claimable !== undefined)
  const asked = { ...options, concepts, k: Math.floor(options.k) }
  if (asked.k < 1) return []
  if (context.clock.stale) await context.writer.askClock()
  const taken = await context.database.despiteOthers(
    async (again) => (again === 0 ? await takeAhead(context, asked) : undefined) ?? takeHeld(context, asked),
  )
  if (taken.length > 0) context.changes.appended()
  context.writer.remember(taken.map(({ known }) => known))
  return taken.map(({ head }) => head)
}

/** Claims by the cached heads, then by those in the answer; `undefined` if both were outdated. */
async function takeAhead(context: StoreContext, options: TakeOptions): Promise<readonly Claimed[] | undefined> {
  const { ahead, writer } = context
  let claims: Claims | undefined
  for (let guess = 0; guess < 3; guess++) {
    const given = guess === 0 ? undefined : decideClaims(context, ahead.draw(options), options)
    // The cached heads are outdated or cannot be claimed, so the next heads must be locked first.
    if (guess > 0 && given === undefined) break
    let look = 0
    const answer = await writer.take(() => {
      claims = given ?? decideClaims(context, ahead.draw(options), options)
      look = ahead.wanted(options, claims !== undefined)
      return takeCall(context, options, { look, ...claimsOf(claims) })
    })
    if (answer.outcome === 'lost') throw new SessionLostError(options.session)
    if (look > 0 || !answer.seqs) ahead.saw(options, answer.ready ?? [], Math.max(look, options.k))
    if (answer.seqs && claims !== undefined) return claimedBy(context, claims, answer.seqs)
    if (!answer.ready) return []
  }
  return undefined
}

/** The server picks and locks, this process decides, and the server writes, all in one transaction. */
async function takeHeld(context: StoreContext, options: TakeOptions): Promise<readonly Claimed[]> {
  return context.database.transaction(async (run) => {
    for (let tries = 0; tries < 5; tries++) {
      const call = takeCall(context, options, { look: 0, hold: true })
      const held = await context.writer.takeWithin(run, call)
      if (held.outcome === 'lost') throw new SessionLostError(options.session)
      const claims = decideClaims(context, held.ready ?? [], options)
      if (claims === undefined) return []
      const partitions = [...new Set(claims.rows.map(({ partition }) => partition))]
      const answer = await context.writer.takeWithin(run, { ...call, ...claimsOf(claims), partitions })
      if (answer.seqs) return claimedBy(context, claims, answer.seqs)
    }
    return []
  })
}

function takeCall(
  { clock, concepts: known }: StoreContext,
  { session, owners, concepts, partition, parents, kinds, k, perPartition = 4 }: TakeOptions,
  more: { readonly look: number; readonly hold?: boolean } & Partial<TakeCall>,
): TakeCall {
  const kindOf = concepts.map((name) => known.get(name).claimable?.kind)
  return {
    session,
    owners,
    concepts,
    parents,
    kinds,
    k,
    now: clock.override,
    kind_fields: kindOf.map((kind) => kind?.field ?? null),
    kind_otherwise: kindOf.map((kind) => kind?.otherwise ?? null),
    partitions: partition === undefined ? undefined : [partition],
    per_partition: Math.min(2 ** 31 - 1, perPartition),
    ...more,
  }
}

function claimsOf(claims: Claims | undefined): Partial<TakeCall> {
  if (claims === undefined) return {}
  const { rows, call } = claims
  const claimed = { claimed: rows.map(({ id }) => id), versions: rows.map(({ version }) => version) }
  return { ...claimed, append: call.append, rows: call.rows }
}

/** Decides the claims; `undefined` if there are no rows or one is refused. The heads are locked and checked before they are written. */
function decideClaims(
  { concepts, clock, writer }: StoreContext,
  rows: readonly KnownHeadRow[],
  { session, actor, durability = 'normal' }: TakeOptions,
): Claims | undefined {
  const at = clock.now()
  const decided = rows.map((row) => {
    const claim = claimDraft(concepts.get(row.concept), headOf(row), { session, actor, durability, at })
    return writer.decideOr(claim, new Map([[row.id, knownOf(row)]]), at)?.decision
  })
  const whole = decided.flatMap((each) => each ?? [])
  if (rows.length === 0 || whole.length < rows.length) return undefined
  const decision = {
    versions: whole.flatMap(({ versions }) => versions),
    heads: whole.flatMap(({ heads }) => heads),
    flips: whole.flatMap(({ flips }) => flips),
    holds: whole.flatMap(({ holds }) => holds),
  }
  const known = new Map<string, KnownHead>()
  const full = durability === 'full'
  return {
    rows,
    versions: decision.versions,
    call: appendCall({ decision, known, full, vectors: [], mayCollide: false }, concepts),
  }
}

/** The head after the claim, computed from the version that the claim made. */
function claimedBy(
  { concepts }: StoreContext,
  { rows, versions }: Claims,
  seqs: readonly number[],
): readonly Claimed[] {
  return rows.map((row, i) => {
    const version = versions[i]
    if (version === undefined) throw new TypeError(`${row.id} was claimed and not written`)
    const { json, oldStatus: _old, ...written } = version
    const node = { ...written, seq: seqs[i] ?? 0, payload: JSON.parse(json) }
    const firstCreatedAt = row.first_created_at
    const { session, wakeAt } = foldFacts(concepts.get(row.concept), { ...node, firstCreatedAt })
    const { seq: _seq, createdBy: _by, provenanceMutation: _mutation, ...known } = node
    return { head: { ...headOf(row), ...node, session, wakeAt }, known: { ...known, firstCreatedAt } }
  })
}
