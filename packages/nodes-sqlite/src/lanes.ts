/** What a fair pick needs to know about a partition. */
import type { PartitionQueue } from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'
import type { Row } from './database.ts'

/** A partition for the pick, without the number of its ready nodes. */
export type Lane = Omit<PartitionQueue, 'ready'>

const laneColumns = `f.virtual_time,
  (select count(*) from heads where running = 1 and partition = names.partition) as running`

/** The partitions with ready nodes without flow control. It jumps from one partition to the next through the index, without reading the rows in between. */
export function lanesOf(writer: Connection, owners: readonly string[]): readonly Lane[] {
  const rows = owners.flatMap((owner) =>
    writer.all(
      `with recursive names (partition) as (
          select (select partition from heads indexed by heads_ready where ready = 1 and held = 0 and gate is null and owner = ?1
            order by partition limit 1)
          union all
          select (select h.partition from heads h indexed by heads_ready where h.ready = 1 and h.held = 0 and h.gate is null
            and h.owner = ?1
            and h.partition > names.partition order by h.partition limit 1) from names where names.partition is not null
        )
        select names.partition, ${laneColumns} from names left join fairness f on f.partition = names.partition
          where names.partition is not null`,
      owner,
    ),
  )
  return [...new Map(rows.map((row) => [row['partition'], laneOfRow(row)])).values()]
}

export function laneOf(connection: Connection, partition: string): Lane {
  const [row = {}] = connection.all(
    `select names.partition, ${laneColumns} from (select ? as partition) names
      left join fairness f on f.partition = names.partition`,
    partition,
  )
  return laneOfRow(row)
}

function laneOfRow(row: Row): Lane {
  return {
    partition: String(row['partition']),
    virtualTime: Number(row['virtual_time'] ?? 0),
    running: Number(row['running']),
  }
}

/** Orders partitions by virtual time, lowest first. */
export function inOrder(lanes: readonly Lane[], clock: number): readonly Lane[] {
  const behind = ({ virtualTime }: Lane): number => Math.max(virtualTime, clock)
  return lanes.toSorted((a, b) => behind(a) - behind(b) || (a.partition < b.partition ? -1 : 1))
}
