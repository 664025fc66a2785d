/**
 * Claims up to k ready nodes. What a worker will get is most often known before it asks: what the server said would be next,
 * in fair order. Those claims are decided beforehand and written by the statement that checks them; where others take so
 * quickly that guessing does not help, or several owners are next, they are picked within a transaction.
 */
import { checkOwner, type Head, type Node, SessionLostError, type TakeOptions } from '@agentm/nodes'
import type { AheadRow } from './ahead.ts'
import { claimAppend } from './claim-append.ts'
import { type DecidedClaims, serverNow } from './log-writer.ts'
import type { StoreParts } from './store-parts.ts'
import type { TakeCall, TakeRow } from './take-call.ts'
import { type Claimed, claimedOf, kindsOf, takeFairly } from './take-fairly.ts'

interface Prepared {
  /** How many to be told of beside the claims. */
  readonly look: number
  readonly guessed: readonly AheadRow[]
  readonly claims: DecidedClaims | undefined
}

export async function takeWork(parts: StoreParts, options: TakeOptions): Promise<readonly Head[]> {
  options.owners.forEach((owner) => checkOwner(owner))
  const concepts = options.concepts.filter((name) => parts.concepts.get(name).claimable !== undefined)
  const asked = { ...options, concepts, k: Math.floor(options.k), perPartition: perPartitionOf(options) }
  if (parts.clock.stale) await parts.writer.askClock()
  const taken = await parts.database.despiteOthers(
    async (again) => (again === 0 ? await takeAhead(parts, asked) : undefined) ?? takeFairly(parts, asked),
  )
  if (taken.length > 0) parts.wakeups.appended()
  parts.writer.remember(taken.map(({ known }) => known))
  return taken.map(({ head }) => head)
}

function perPartitionOf({ perPartition = 4 }: TakeOptions): number {
  return Math.min(2 ** 31 - 1, perPartition)
}

/** By a guess, and by a second one from what the first has shown; nothing where guessing does not help. */
async function takeAhead(parts: StoreParts, options: TakeOptions): Promise<readonly Claimed[] | undefined> {
  const { ahead } = parts
  if (options.k < 1 || !ahead.mayGuess()) return undefined
  for (let guess = 0; guess < 2; guess++) {
    const again = guess === 0 ? undefined : prepare(parts, options)
    if (again !== undefined && again.claims === undefined) break
    const { rows, ...question } = await ask(parts, options, again)
    const { look } = question
    const [first] = rows
    const ready = rows.flatMap((row) => (row.outcome === 'ready' ? [row] : []))
    if (first === undefined) return []
    if (first.outcome === 'lost') throw new SessionLostError(options.session)
    if (first.outcome === 'taken') {
      ahead.wasRight(question.guessed.slice(first.seqs.length))
      if (look > 0) ahead.saw(options, ready, look)
      return claimedBy(parts, question, first.seqs)
    }
    ahead.saw(options, ready, Math.max(look, options.k))
  }
  ahead.wasWrong()
  return undefined
}

/** What is known when the question is sent decides the claims; sent once more, it is the same question. */
async function ask(
  parts: StoreParts,
  options: TakeOptions,
  given: Prepared | undefined,
): Promise<Prepared & { readonly rows: readonly TakeRow[] }> {
  let question = given
  const rows = await parts.writer.take((full) => {
    question ??= prepare(parts, options)
    return takeCall(parts, options, { ...question, full })
  })
  if (question === undefined) throw new TypeError('a question that was answered has been put')
  return { ...question, rows }
}

function prepare(parts: StoreParts, options: TakeOptions): Prepared {
  const rows = parts.ahead.draw(options)
  const claims = claimAppend(parts, rows, options)
  const decided = claims && parts.writer.decideClaims(claims.append, claims)
  const look = parts.ahead.wanted(options, decided !== undefined)
  return decided === undefined ? { guessed: [], claims: undefined, look } : { guessed: rows, claims: decided, look }
}

function takeCall(
  { database, clock, concepts: known }: StoreParts,
  options: TakeOptions,
  { claims, look, full }: Pick<Prepared, 'claims' | 'look'> & { readonly full: boolean },
): TakeCall {
  const { session, owners, concepts, partition = null, parents = null, kinds = null, k, perPartition } = options
  const values = [
    session,
    clock.override,
    owners,
    concepts,
    partition,
    k,
    perPartition,
    parents,
    kinds,
    ...kindsOf(known, concepts),
    look,
    ...(claims === undefined ? noClaims : [claims.full || full, ...claims.values]),
  ]
  return {
    text: (from, first = `$${from + 1}`) => {
      const places = values.slice(2).map((_, i) => `$${from + i + 3}`)
      return `${database.schema}.take(${first}, coalesce($${from + 2}, ${serverNow}), ${places.join(', ')})`
    },
    values,
    partition: claims?.versions[0]?.partition,
  }
}

/** How it is written, and the columns of heads, versions and items. */
const noClaims = Array.from({ length: 42 }, () => null)

function claimedBy(
  { concepts }: StoreParts,
  { guessed, claims }: Prepared,
  seqs: readonly number[],
): readonly Claimed[] {
  return seqs.map((seq, i) => {
    const [row, version] = [guessed[i], claims?.versions[i]]
    if (row === undefined || version === undefined) throw new TypeError('the server claimed more than it was given')
    const { json, oldStatus: _old, ...node } = version
    const claimed: Node = { ...node, seq, payload: JSON.parse(json) }
    return claimedOf(row, claimed, concepts)
  })
}
