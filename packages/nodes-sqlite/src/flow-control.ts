/**
 * Ready nodes with flow control, as far as their limits let them through. Nodes with equal limits have the same gate, so a claim asks once
 * per gate, however many nodes wait before it. Made anew for each claim, inside its transaction.
 */
import type { FlowGate } from '@agentm/nodes'
import { admit, type FlowUsage, gateRoom, gateStanding, limitsIn } from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'
import type { Row, SqlValue } from './database.ts'
import { limited } from './pure/limited.ts'

/** A ready node that may be claimed. */
export interface ReadyRow {
  readonly id: string
  readonly owner: string
  readonly seq: number
  /** The order within the partition, lowest first. */
  readonly rank: number
  readonly gate: string | undefined
}

/** A query for the ready nodes of one owner and one concept. */
export interface ReadyQuery {
  readonly owner: string
  readonly concept: string
  /** The joined tables and their conditions, without owner and concept. */
  readonly joined: string
  readonly where: string
  readonly values: readonly SqlValue[]
}

/** Where to look: in a partition, or among the children of a node, there also within one partition. */
export interface FlowScope {
  readonly by: 'partition' | 'parent'
  readonly name: string
  readonly within?: string | undefined
}

/** Returns `undefined` if no node with flow control is ready, which costs one look into an index per owner. */
export function flowControl(
  writer: Connection,
  { owners, now }: { readonly owners: readonly string[]; readonly now: number },
): FlowControl | undefined {
  return owners.some((owner) => writer.get(oneWaiting, owner) !== undefined) ? new FlowControl(writer, now) : undefined
}

const waiting = 'ready = 1 and held = 0 and gate is not null'
const oneWaiting = `select 1 from heads indexed by heads_flow where ${waiting} and owner = ? limit 1`

export class FlowControl {
  readonly #writer: Connection
  readonly #now: number
  readonly #usage = new Map<string, FlowUsage>()
  /** The gates that nodes have passed in this claim, by owner. */
  readonly #passed = new Map<string, readonly string[]>()

  constructor(writer: Connection, now: number) {
    this.#writer = writer
    this.#now = now
  }

  /** The partitions in which nodes of an owner wait before a gate. */
  partitionsOf(owner: string): readonly string[] {
    return distinct(this.#writer, 'partition', 'heads_flow', { owner })
  }

  /** The first nodes before each open gate. */
  rowsIn(scope: FlowScope, { owner, concept, joined, where, values }: ReadyQuery, limit: number): readonly Row[] {
    const index = scope.by === 'partition' ? 'heads_flow' : 'heads_flow_parent'
    const at = scope.by === 'partition' ? { owner, partition: scope.name } : { parent: scope.name }
    const gates = distinct(this.#writer, 'gate', index, at)
    const usage = this.#usageOf(owner, gates)
    return gates.flatMap((gate) => {
      const { room } = gateRoom(gate, usage, { now: this.#now, passed: this.#passed.get(owner) ?? [] })
      if (room < 1) return []
      return this.#writer.all(
        `select h.id, h.owner, h.seq, h.partition, h.rank, h.gate from heads h indexed by ${index} ${joined}
          where h.ready = 1 and h.held = 0 and h.gate is not null and h.owner = ?1 and h.${scope.by} = ?2 and h.gate = ?3
            and h.concept = ?4 and (?5 is null or h.partition = ?5) and (h.wake_at is null or h.wake_at > ?6) ${where}
          order by h.rank, h.seq ${limited}`,
        owner,
        scope.name,
        gate,
        concept,
        scope.within ?? null,
        this.#now,
        ...values,
        Math.min(limit, room),
      )
    })
  }

  /** The first of these nodes that may be claimed together with those that were admitted before. */
  admit(rows: readonly ReadyRow[], most: number): readonly ReadyRow[] {
    const sorted = rows.toSorted((a, b) => a.rank - b.rank || a.seq - b.seq)
    const admitted = [...new Set(rows.map(({ owner }) => owner))].flatMap((owner) =>
      this.#admitOf(
        owner,
        sorted.filter((row) => row.owner === owner),
        most,
      ),
    )
    const first = admitted.toSorted((a, b) => a.rank - b.rank || a.seq - b.seq).slice(0, most)
    for (const { owner, gate } of first)
      if (gate !== undefined) this.#passed.set(owner, [...(this.#passed.get(owner) ?? []), gate])
    return first
  }

  #admitOf(owner: string, rows: readonly ReadyRow[], most: number): readonly ReadyRow[] {
    const usage = this.#usage.get(owner) ?? { running: new Map(), starts: new Map() }
    return admit(rows, usage, { now: this.#now, most, passed: this.#passed.get(owner) ?? [] })
  }

  #usageOf(owner: string, gates: readonly string[]): FlowUsage {
    const known = this.#usage.get(owner)
    const usage = usageOf(this.#writer, owner, gates, known)
    this.#usage.set(owner, usage)
    return usage
  }
}

/** The limits before which nodes of these owners wait. */
export function waitingGates(reader: Connection, owners: readonly string[], now: number): readonly FlowGate[] {
  return [...new Set(owners)].flatMap((owner) => {
    if (reader.get(oneWaiting, owner) === undefined) return []
    const partitions = distinct(reader, 'partition', 'heads_flow', { owner })
    const all = partitions.flatMap((partition) => distinct(reader, 'gate', 'heads_flow', { owner, partition }))
    const gates = [...new Set(all)].filter((gate) => gate !== '')
    const usage = usageOf(reader, owner, gates)
    return gates.map((gate) => gateStanding({ owner, gate }, usage, now))
  })
}

/** Counts a claim for its rate limit, and forgets the claims that no longer count. */
export function countStart(writer: Connection, { owner, gate }: Pick<ReadyRow, 'owner' | 'gate'>, at: number): void {
  const { rate } = limitsIn(gate ?? '')
  if (rate === undefined) return
  writer.run('delete from starts where owner = ? and key = ? and at <= ?', owner, rate.key, at - rate.perMs)
  writer.run('insert into starts (owner, key, at) values (?, ?, ?)', owner, rate.key, at)
}

function usageOf(
  reader: Connection,
  owner: string,
  gates: readonly string[],
  known: FlowUsage = { running: runningOf(reader, owner), starts: new Map() },
): FlowUsage {
  const starts = new Map(known.starts)
  for (const gate of gates) {
    const { rate } = limitsIn(gate)
    if (rate === undefined || (starts.get(rate.key)?.length ?? -1) >= rate.starts) continue
    const rows = reader.all(
      `select at from starts where owner = ? and key = ? order by at desc ${limited}`,
      owner,
      rate.key,
      rate.starts,
    )
    starts.set(
      rate.key,
      rows.map(({ at }) => Number(at)),
    )
  }
  return { running: known.running, starts }
}

function runningOf(reader: Connection, owner: string): ReadonlyMap<string, number> {
  const rows = reader.all(
    `select gate, count(*) as count from heads indexed by heads_limited
      where running = 1 and gate is not null and owner = ? group by gate`,
    owner,
  )
  const running = new Map<string, number>()
  for (const { gate, count } of rows) {
    const { limit } = limitsIn(String(gate))
    if (limit !== undefined) running.set(limit.key, (running.get(limit.key) ?? 0) + Number(count))
  }
  return running
}

/** Jumps through the index from one value to the next, without reading the rows in between. */
function distinct(
  reader: Connection,
  column: 'partition' | 'gate',
  index: 'heads_flow' | 'heads_flow_parent',
  at: Readonly<Record<string, string>>,
): readonly string[] {
  const where = `${waiting} and ${Object.keys(at)
    .map((name) => `${name} = ?`)
    .join(' and ')}`
  const values = Object.values(at)
  const rows = reader.all(
    `with recursive found (value) as (
        select (select min(${column}) from heads indexed by ${index} where ${where})
        union all
        select (select min(${column}) from heads indexed by ${index} where ${where} and ${column} > found.value)
          from found where found.value is not null
      ) select value from found where value is not null`,
    ...values,
    ...values,
  )
  return rows.map(({ value }) => String(value))
}

/** A row of `select id, owner, seq, rank, gate`. */
export function readyRowOf(row: Row): ReadyRow {
  const gate = row['gate']
  return {
    id: String(row['id']),
    owner: String(row['owner']),
    seq: Number(row['seq']),
    rank: Number(row['rank'] ?? 0),
    gate: typeof gate === 'string' ? gate : undefined,
  }
}
