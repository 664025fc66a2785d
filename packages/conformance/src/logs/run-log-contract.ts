/** One contract against one node store, in a world of its own: fresh directory, fresh store, fresh processes. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeStore, StoreRuntime } from '@agentm/nodes'
import type { ConceptSet } from '@agentm/nodes/store-kit'
import { ContractBrokenError } from '../contract-broken-error.ts'
import type { Verdict } from '../run-contract.ts'
import type { LogContract, LogNeed } from './log-contract.ts'
import { LogCrew, type LogProcesses } from './processes/log-crew.ts'
import { sampleConcepts } from './sample-concepts.ts'

/** Opens a store in a directory: a fresh one the first time, the same data after that. */
export type MakeLog = (setup: {
  readonly directory: string
  readonly concepts: ConceptSet
  /** The clock that the contract sets, for stores that take their time from here. */
  readonly runtime: Pick<StoreRuntime, 'now'>
}) => Promise<NodeStore>

/** What the suite has to know about a store. */
export interface LogConformanceOptions {
  /** What this store offers to contracts (default: nothing). */
  readonly offers?: readonly Exclude<LogNeed, 'processes'>[]
  /** For a store that other processes may open. */
  readonly processes?: (directory: string) => LogProcesses
  /** Called after each contract, when every handle is closed. */
  readonly dispose?: (directory: string) => Promise<void>
  /** Ids of the contracts to run; all by default. */
  readonly only?: readonly string[]
  /** Multiplies rounds and sizes; 1 is quick. */
  readonly scale?: number
}

export const logContractTimeoutMs = 120_000

/** Runs one log contract against a fresh store. */
export async function runLogContract(
  contract: LogContract,
  make: MakeLog,
  options: LogConformanceOptions = {},
): Promise<Verdict> {
  const unmet = contract.needs?.find((need) =>
    need === 'processes' ? options.processes === undefined : options.offers?.includes(need) !== true,
  )
  if (unmet !== undefined) return { outcome: 'skipped', why: `this store does not offer ${unmet}` }
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'agentm-log-')))
  try {
    await inWorld(directory, contract, make, options)
    return { outcome: 'passed' }
  } catch (error) {
    return { outcome: 'failed', error }
  } finally {
    await options.dispose?.(directory)
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function inWorld(directory: string, contract: LogContract, make: MakeLog, options: LogConformanceOptions) {
  let clock: number | undefined
  const opened: NodeStore[] = []
  const open = async () => {
    const store = await make({ directory, concepts: sampleConcepts, runtime: { now: () => clock ?? Date.now() } })
    opened.push(store)
    return store
  }
  const crew = new LogCrew(options.processes?.(directory))
  try {
    const store = await open()
    const setClock = (at: number) => {
      clock = at
    }
    await withinTime(contract.check({ store, reopen: open, setClock, crew, scale: options.scale ?? 1 }))
  } finally {
    await crew.end()
    for (const store of opened) await store.close()
  }
}

async function withinTime(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new ContractBrokenError(`no answer within ${logContractTimeoutMs / 1000} seconds`)
    timer = setTimeout(() => reject(error), logContractTimeoutMs)
  })
  try {
    await Promise.race([check, late])
  } finally {
    clearTimeout(timer)
  }
}
