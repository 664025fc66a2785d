/**
 * Runs one contract against one backend, with a fresh backend, a fresh directory and fresh processes, which are all removed afterwards.
 * Only this file decides whether a contract applies.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BackendSettings,
  contentHash,
  type Locator,
  type PersonalGrant,
  type StorageBackend,
  TierLayout,
} from '@agentm/storage-seam'
import type { Contract, Need, World } from './contract.ts'
import { ContractBrokenError } from './contract-broken-error.ts'
import { Crew } from './processes/crew.ts'

/** Makes a fresh, empty backend. The directory is fresh and empty too; a backend without files ignores it. */
export type MakeBackend = (directory: string) => Promise<StorageBackend>

/** What the suite has to know about a backend. */
export interface ConformanceOptions {
  /** For a backend over a directory: where its files are, given the directory that `make` received. Enables the confinement contracts. */
  readonly filesIn?: (directory: string) => string
  /** For a backend that other processes may open: the module that exports its `plugin`. Enables the process contracts. */
  readonly processes?: ProcessOptions
  /** Called after each contract with what `make` made. */
  readonly dispose?: (backend: StorageBackend) => Promise<void>
  /** Where the backend keeps its tiers, if not in the default places. */
  readonly layout?: TierLayout
  /** Creates a grant for a personal write, if the backend accepts only grants that it created itself. */
  readonly grant?: GrantPersonalWrite
  /** Ids of the contracts to run; all by default. */
  readonly only?: readonly string[]
  /** Multiplies rounds and sizes; 1 is quick. */
  readonly scale?: number
}

/** How other processes open the backend, for the contracts about several writers. */
export interface ProcessOptions {
  /** Importable by Node from the working directory: a package name, a relative path or a URL. It exports `plugin`. */
  readonly module: string
  /** For `plugin.open`. `{directory}` in a text becomes a fresh directory; so does an unset `rootSetting`. */
  readonly settings?: BackendSettings
  /** How long a lock may outlive its killed holder; 20 seconds by default. */
  readonly takeoverMs?: number
}

/** A grant for this text, which the person approved at `now` (epoch milliseconds) after seeing what was there. */
export type GrantPersonalWrite = (seen: {
  readonly target: Locator
  readonly text: string
  /** The text there before; `undefined`: nothing was there. */
  readonly replaces: string | undefined
  readonly now: number
}) => PersonalGrant

/** How one contract ended. */
export type Verdict =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'skipped'; readonly why: string }
  | { readonly outcome: 'failed'; readonly error: unknown }

export const contractTimeoutMs = 120_000

/**
 * Runs one contract against a fresh backend.
 *
 * @example
 * ```ts
 * import { backendContracts, InMemoryBackend, runContract } from '@agentm/conformance'
 *
 * const [first] = backendContracts
 * if (first !== undefined) console.log((await runContract(first, async () => new InMemoryBackend())).outcome) // passed
 * ```
 */
export async function runContract(
  contract: Contract,
  make: MakeBackend,
  options: ConformanceOptions = {},
): Promise<Verdict> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'agentm-conformance-')))
  try {
    return await inWorld(home, contract, make, options)
  } catch (error) {
    return { outcome: 'failed', error }
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function inWorld(
  home: string,
  contract: Contract,
  make: MakeBackend,
  options: ConformanceOptions,
): Promise<Verdict> {
  const store = join(home, 'store')
  const outside = join(home, 'outside')
  await mkdir(store)
  const backend = await make(store)
  const crew = new Crew({ home: join(home, 'crew'), ...options.processes })
  try {
    const why = whyNotAsked(contract, backend, options)
    if (why !== undefined) return { outcome: 'skipped', why }
    const root = options.filesIn?.(store) ?? store
    const layout = options.layout ?? new TierLayout()
    const { grant = plainGrant, scale = 1 } = options
    const world: World = { backend, layout, files: { root, outside }, crew, grant, scale }
    if (contract.needs?.includes('directory') === true) await mkdir(outside)
    const unproven = await withinTime(contract.check(world))
    return unproven === undefined ? { outcome: 'passed' } : { outcome: 'skipped', why: unproven.why }
  } finally {
    await crew.end()
    await options.dispose?.(backend)
  }
}

function whyNotAsked(
  { needs = [], unless }: Contract,
  backend: StorageBackend,
  options: ConformanceOptions,
): string | undefined {
  if (unless !== undefined && backend.capabilities[unless]) return `it declares ${unless}`
  return needs.map((need) => whyUnmet(need, backend, options)).find((why) => why !== undefined)
}

function whyUnmet(need: Need, backend: StorageBackend, options: ConformanceOptions): string | undefined {
  if (need === 'directory') return options.filesIn === undefined ? 'it was not said where its files are' : undefined
  if (need === 'processes')
    return options.processes === undefined ? 'no module was named that a second process could open' : undefined
  if (need === 'derivedMaintenance') return backend.derivedMaintenance === undefined ? 'it derives nothing' : undefined
  return backend.capabilities[need] ? undefined : `it does not declare ${need}`
}

/** Good for ten minutes, like a question that was just answered. */
const plainGrant: GrantPersonalWrite = ({ target, text, replaces, now }) => ({
  id: randomUUID(),
  target: target.key,
  hash: contentHash(text),
  replaces: replaces === undefined ? null : contentHash(replaces),
  expires: now / 1000 + 600,
})

async function withinTime<T>(check: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new ContractBrokenError(`no answer within ${contractTimeoutMs / 1000} seconds`)
    timer = setTimeout(() => reject(error), contractTimeoutMs)
  })
  try {
    return await Promise.race([check, late])
  } finally {
    clearTimeout(timer)
  }
}
