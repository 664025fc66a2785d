/** The limits before which ready nodes of these owners wait. Reads once per gate, however many nodes wait before it. */
import type { FlowGate } from '@agentm/nodes'
import { type FlowUsage, gateStanding, limitsIn } from '@agentm/nodes/store-kit'
import type { Database } from './database.ts'
import { serverNow } from './log-writer.ts'
import type { StoreContext } from './store-context.ts'

interface WaitingGate {
  readonly owner: string
  readonly gate: string
  readonly now: number
}

export async function waitingGates(context: StoreContext, owners: readonly string[]): Promise<readonly FlowGate[]> {
  const gates = await gatesOf(context, owners)
  if (gates.length === 0) return []
  const usage = await usageOf(context.database, gates)
  return gates.map(({ now, ...gate }) => gateStanding(gate, usage.get(gate.owner) ?? unused, now))
}

const unused: FlowUsage = { running: new Map(), starts: new Map() }

async function gatesOf(
  { database, concepts, clock }: StoreContext,
  owners: readonly string[],
): Promise<readonly WaitingGate[]> {
  const waits = 'h.ready and not h.held and h.gate is not null'
  const claimable = [...concepts].filter((concept) => concept.claimable?.flow !== undefined).map(({ name }) => name)
  return database.read<WaitingGate>({
    text: `with recursive found as (
        select o.owner, c.concept, n.partition, n.gate
        from unnest($1::text[]) o (owner) cross join unnest($2::text[]) c (concept)
        cross join lateral (
          select h.partition, h.gate from ${database.schema}.heads h
          where ${waits} and h.owner = o.owner and h.concept = c.concept order by h.partition, h.gate limit 1
        ) n
        union all
        select f.owner, f.concept, n.partition, n.gate from found f
        cross join lateral (
          select h.partition, h.gate from ${database.schema}.heads h
          where ${waits} and h.owner = f.owner and h.concept = f.concept and (h.partition, h.gate) > (f.partition, f.gate)
          order by h.partition, h.gate limit 1
        ) n
      )
      select distinct owner, gate, coalesce($3, ${serverNow}) as now from found where gate <> ''`,
    values: [[...new Set(owners)], claimable, clock.override],
  })
}

async function usageOf(database: Database, gates: readonly WaitingGate[]): Promise<ReadonlyMap<string, FlowUsage>> {
  const rates = new Map<string, { readonly owner: string; readonly key: string; readonly most: number }>()
  for (const { owner, gate } of gates) {
    const { rate } = limitsIn(gate)
    const name = JSON.stringify([owner, rate?.key])
    if (rate === undefined) continue
    rates.set(name, { owner, key: rate.key, most: Math.max(rate.starts, rates.get(name)?.most ?? 0) })
  }
  const [running, starts] = [
    await database.read<{ owner: string; gate: string; count: number }>({
      text: `select h.owner, h.gate, count(*) as count from ${database.schema}.heads h
        where h.running and h.gate is not null and h.owner = any ($1) group by h.owner, h.gate`,
      values: [gates.map(({ owner }) => owner)],
    }),
    await database.read<{ owner: string; key: string; at: number }>({
      text: `select g.owner, g.key, s.at from json_to_recordset($1) as g (owner text, key text, most integer)
        cross join lateral (
          select t.at from ${database.schema}.starts t
          where t.owner = g.owner and t.key = g.key order by t.at desc limit g.most
        ) s order by g.owner, g.key, s.at desc`,
      values: [JSON.stringify([...rates.values()])],
    }),
  ]
  return new Map(
    gates.map(({ owner }) => [
      owner,
      {
        running: sums(running.filter((row) => row.owner === owner)),
        starts: timesOf(starts.filter((row) => row.owner === owner)),
      },
    ]),
  )
}

function sums(rows: readonly { readonly gate: string; readonly count: number }[]): ReadonlyMap<string, number> {
  const running = new Map<string, number>()
  for (const { gate, count } of rows) {
    const { limit } = limitsIn(gate)
    if (limit !== undefined) running.set(limit.key, (running.get(limit.key) ?? 0) + count)
  }
  return running
}

function timesOf(
  rows: readonly { readonly key: string; readonly at: number }[],
): ReadonlyMap<string, readonly number[]> {
  const starts = new Map<string, number[]>()
  for (const { key, at } of rows) starts.set(key, [...(starts.get(key) ?? []), at])
  return starts
}
