/** The feed: every version once, in sequence order, including those that commit late. */
import type { FeedEvent, FeedOptions } from '@agentm/nodes'
import { checkOwner } from '@agentm/nodes/store-kit'
import type { Database } from './database.ts'
import type { Horizon, Interest } from './horizon.ts'
import { eventOf, nodeColumns, type NodeRow } from './rows.ts'
import type { ChangeSignal } from './change-signal.ts'

const pageSize = 500

export function follow(
  {
    database,
    horizon,
    changes,
  }: { readonly database: Database; readonly horizon: Horizon; readonly changes: ChangeSignal },
  options: FeedOptions,
): AsyncIterable<FeedEvent> {
  const owners = typeof options.owner === 'string' ? [options.owner] : [...options.owner]
  owners.forEach((owner) => checkOwner(owner))
  // "From now on" means from this call, even if the first event is requested later.
  const start =
    options.after === undefined ? horizon.advance().then(() => horizon.settled) : Promise.resolve(options.after)
  start.catch(() => undefined)
  const ended = () => options.signal?.aborted === true || database.closed
  const interest: Interest = { owners, concepts: options.concepts }
  return { [Symbol.asyncIterator]: () => events() }

  async function* events(): AsyncGenerator<FeedEvent> {
    let after = await start
    horizon.join(interest)
    try {
      while (!ended()) {
        const { news } = changes
        await horizon.advance().catch(endQuietly)
        if (ended()) return
        const upto = horizon.settled
        const seen = upto <= after ? [] : horizon.seenBehind(after, interest)
        const rows = seen ?? (await page(after, upto))
        for (const row of rows) {
          if (ended()) return
          yield eventOf(row)
          after = row.seq
        }
        const isWhole = seen !== undefined || rows.length < pageSize
        if (isWhole) after = Math.max(after, upto)
        if (rows.length > 0) changes.busy()
        if (isWhole) await changes.wait(options.signal, { soon: horizon.unsettled, news })
      }
    } finally {
      horizon.leave(interest)
    }
  }

  function endQuietly(error: unknown): void {
    if (!database.closed) throw error
  }

  async function page(after: number, upto: number): Promise<readonly NodeRow[]> {
    return database.read<NodeRow>({
      text: `select ${nodeColumns} from ${database.schema}.nodes n
        where n.seq > $1 and n.seq <= $2 and n.owner = any ($3) and ($4::text[] is null or n.concept = any ($4))
        order by n.seq limit ${pageSize}`,
      values: [after, upto, owners, options.concepts ?? null],
    })
  }
}
