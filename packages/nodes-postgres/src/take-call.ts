/** The question for claims: as a statement of its own, or behind an append in the same statement. */
import type { AheadRow } from './ahead.ts'
import type { WrittenRow } from './append-statements.ts'
import type { Statement } from './database.ts'
import type { FreeRow } from './freeing.ts'
import type { KnownRow } from './node-rows.ts'

export type TakeRow =
  | { readonly outcome: 'lost' }
  | { readonly outcome: 'taken'; readonly seqs: readonly number[] }
  | (AheadRow & { readonly outcome: 'ready' })

/** With what the append wrote, on each row: what became free after it, and what the claims found; one row without an outcome where there is neither. */
export type TurnRow = WrittenRow & (TakeRow | (KnownRow & { readonly outcome: 'free' }) | { readonly outcome: null })

/** Something to select from behind an append `a`. */
export interface Following {
  readonly text: (from: number) => string
  readonly values: readonly unknown[]
}

export interface TakeCall {
  /** As something to select from, with places that begin after `from`; the first may be given in other words. */
  readonly text: (from: number, first?: string) => string
  readonly values: readonly unknown[]
  /** The partition that is expected to give, whose share is locked before anything else. */
  readonly partition: string | undefined
}

/** Made when it is sent: what is known by then decides the claims. `full` where what shares the commit asks for that. */
export type Take = (full: boolean) => TakeCall

export function takeStatement({ text, values }: TakeCall): Statement {
  return { text: `select * from ${text(0)}`, values }
}

/**
 * Append first, then claims: each function sees what the one before it did. The share is locked before either, as claims
 * alone lock it before any head, so that two processes cannot wait for each other's.
 */
export class TakeAlong {
  readonly #schema: string
  readonly #take: Take
  readonly #answer: (rows: readonly TakeRow[]) => void

  constructor(schema: string, { take, answer }: { take: Take; answer: (rows: readonly TakeRow[]) => void }) {
    this.#schema = schema
    this.#take = take
    this.#answer = answer
  }

  behind({ text, values = [] }: Statement, freed: Following | undefined, full: boolean): Statement {
    const take = this.#take(full)
    const given = [...values, take.partition ?? null, ...take.values]
    const first = `$${values.length + 2}`
    // It reads what the append answers, so that it cannot be called before it.
    const call = take.text(values.length + 1, `case when a.written is null then ${first} else ${first} end`)
    const free = freed === undefined ? '' : `${freeSelect(freed.text(given.length))} union all `
    return {
      text: `with held as materialized (
          select from ${this.#schema}.shares where partition = $${values.length + 1} for update
        ), a as materialized (
          select w.written from (select count(*) as n from held) h cross join lateral (${text} where h.n >= 0) w
        )
        select a.written, t.* from a left join lateral (${free}select * from ${call}) t on true`,
      values: [...given, ...(freed?.values ?? [])],
    }
  }

  /** Whoever claims is told at once, whatever the append has to do yet. */
  heard(rows: readonly TurnRow[]): readonly FreeRow[] {
    const taken = rows.filter((row): row is WrittenRow & TakeRow => row.outcome !== null && row.outcome !== 'free')
    this.#answer(taken)
    const free = rows.flatMap((row) => (row.outcome === 'free' ? [row] : []))
    return free.length > 0 ? free : [{ written: rows[0]?.written ?? null, id: null }]
  }
}

/** In the columns of the claims. */
function freeSelect(call: string): string {
  return `select 'free' as outcome, null::bigint[] as seqs, first_created_at, null::text as parent, 0 as remaining, false as held,
    null::text as session, null::bigint as wake_at, id, concept, version, seq, owner, partition, created_by, created_at,
    mutation, status, old_status, payload, redacted from ${call}`
}
