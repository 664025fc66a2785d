/** The part of an append that says what becomes of nodes which wait for nothing more after it. */
import {
  type AppendDecision,
  type ConceptSet,
  decideAppend,
  freedAppend,
  type FreedDraft,
  freeEach,
  type KnownHead,
  type PreparedAppend,
} from '@agentm/nodes'
import type { WrittenRow } from './append-statements.ts'
import type { Statement } from './database.ts'
import { headsFrom, knownOf, type KnownRow, nodeColumns } from './node-rows.ts'
import type { Following } from './take-call.ts'

export interface Freeing {
  readonly freed: FreedDraft
  /** The field that names what a node waits for. */
  readonly field: string
  readonly ended: readonly string[]
}

/** Nothing where the append says nothing of it, or ends nothing that anybody could wait for. */
export function freeingOf(
  { freed }: PreparedAppend,
  { flips }: AppendDecision,
  concepts: ConceptSet,
): Freeing | undefined {
  const ended = flips.filter(({ delta }) => delta < 0).map(({ id }) => id)
  const field = freed && concepts.get(freed.concept).dependsOn?.field
  return freed === undefined || field === undefined || ended.length === 0 ? undefined : { freed, field, ended }
}

/** With every row of a free node the answer of the append; one row without any where none is free. */
export type FreeRow = WrittenRow & (KnownRow | { readonly id: null })

/** A question behind an append, which the same transaction answers; its places begin after `from`. */
export function freedCall(
  { freed, field, ended }: Freeing,
  { owner, schema }: { readonly owner: string; readonly schema: string },
): Following {
  return {
    text: (from) => `${schema}.freed(a.written, ${[1, 2, 3, 4, 5].map((n) => `$${from + n}`).join(', ')})`,
    values: [ended, owner, freed.concept, field, freed.status],
  }
}

/** The statement that appends, with that question behind it. */
export function freeingToo({ text, values = [] }: Statement, freed: Following): Statement {
  return {
    text: `select a.written, f.* from (${text} offset 0) a left join lateral ${freed.text(values.length)} f on true`,
    values: [...values, ...freed.values],
  }
}

export function freeRows(rows: readonly FreeRow[]): readonly KnownRow[] {
  return rows.flatMap((row) => (row.id === null ? [] : [row]))
}

/** Those of them that nobody has written since. */
export function stillFree(
  ids: readonly string[],
  { status }: FreedDraft,
  { owner, schema }: { readonly owner: string; readonly schema: string },
): Statement {
  return {
    text: `select ${nodeColumns}, h.first_created_at from ${headsFrom(schema)}
      where h.id = any ($1) and h.status = $2 and h.owner = $3 and h.remaining = 0 and not n.redacted order by n.seq`,
    values: [ids, status, owner],
  }
}

export interface Freed {
  readonly append: PreparedAppend
  readonly known: ReadonlyMap<string, KnownHead>
  readonly decision: AppendDecision
}

/** One append for all of them; one for each where that is refused, without those that are refused alone. */
export function decideFreed(
  { rows, freed }: { readonly rows: readonly KnownRow[]; readonly freed: FreedDraft },
  append: PreparedAppend,
  { concepts, at }: { readonly concepts: ConceptSet; readonly at: number },
): readonly Freed[] {
  const heads = new Map(rows.map((row) => [row.id, row]))
  const decided: Freed[] = []
  freeEach([...heads.keys()], (ids) => {
    const following = freedAppend(concepts, append, { freed, ids })
    const known = new Map(ids.flatMap((id) => heads.get(id) ?? []).map((row) => [row.id, knownOf(row)]))
    decided.push({ append: following, known, decision: decideAppend(following, { at, heads: known, concepts }) })
  })
  return decided
}
