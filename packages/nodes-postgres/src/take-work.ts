/**
 * Claims up to k ready nodes. What a worker will get is most often known before it asks: the next of the one partition that
 * waits. Those claims are decided beforehand and written by the statement that checks them; where the server finds
 * anything else, or several partitions wait, they are picked fairly within a transaction.
 */
import { checkOwner, type Head, type Node, SessionLostError, type TakeOptions } from '@agentm/nodes'
import type { AheadRow } from './ahead.ts'
import { claimAppend } from './claim-append.ts'
import { type DecidedClaims, serverNow } from './log-writer.ts'
import type { StoreParts } from './store-parts.ts'
import { type Claimed, claimedOf, kindsOf, takeFairly } from './take-fairly.ts'

type TakeRow =
  | { readonly outcome: 'lost' | 'several' }
  | { readonly outcome: 'taken'; readonly seqs: readonly number[] }
  | (AheadRow & { readonly outcome: 'ready' })

interface Prepared {
  readonly rows: readonly AheadRow[]
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
    const prepared = prepare(parts, options)
    if (guess > 0 && prepared.claims === undefined) break
    const look = ahead.wanted(options, prepared.claims !== undefined)
    const rows = await ask(parts, options, { claims: prepared.claims, look })
    const [first] = rows
    const ready = rows.flatMap((row) => (row.outcome === 'ready' ? [row] : []))
    if (first === undefined) return []
    if (first.outcome === 'lost') throw new SessionLostError(options.session)
    if (first.outcome === 'several') break
    if (first.outcome === 'taken') {
      ahead.wasRight(prepared.rows.slice(first.seqs.length))
      if (look > 0) ahead.saw(options, ready, look)
      return claimedBy(parts, prepared, first.seqs)
    }
    ahead.saw(options, ready, Math.max(look, options.k))
  }
  ahead.wasWrong()
  return undefined
}

function prepare(parts: StoreParts, options: TakeOptions): Prepared {
  const rows = parts.ahead.draw(options)
  const claims = claimAppend(parts, rows, options)
  const decided = claims && parts.writer.decideClaims(claims.append, claims)
  return decided === undefined ? { rows: [], claims: undefined } : { rows, claims: decided }
}

async function ask(
  { database, clock, concepts: known }: StoreParts,
  options: TakeOptions,
  { claims, look }: Pick<Prepared, 'claims'> & { readonly look: number },
): Promise<readonly TakeRow[]> {
  const { session, owners, concepts, partition = null, parents = null, kinds = null, k, perPartition } = options
  const values = claims?.values ?? noClaims
  const places = values.map((_, i) => `$${i + 13}`).join(', ')
  const asked = Array.from({ length: 10 }, (_, i) => `$${i + 3}`).join(', ')
  return database.write<TakeRow>({
    text: `select * from ${database.schema}.take($1, coalesce($2, ${serverNow}), ${asked}, ${places})`,
    values: [
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
      ...values,
    ],
  })
}

/** How it is written, and the columns of heads, versions and items. */
const noClaims = Array.from({ length: 42 }, () => null)

function claimedBy({ concepts }: StoreParts, { rows, claims }: Prepared, seqs: readonly number[]): readonly Claimed[] {
  return seqs.map((seq, i) => {
    const [row, version] = [rows[i], claims?.versions[i]]
    if (row === undefined || version === undefined) throw new TypeError('the server claimed more than it was given')
    const { json, oldStatus: _old, ...node } = version
    const claimed: Node = { ...node, seq, payload: JSON.parse(json) }
    return claimedOf(row, claimed, concepts)
  })
}
