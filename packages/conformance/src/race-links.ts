/**
 * Calls every verb of a backend over a directory while another process replaces its files by links that lead outside. A check of a path and
 * its use are two steps, unless the backend keeps the checked file open.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSeamError, Locator, type StorageBackend } from '@agentm/storage-seam'
import { fileTree } from './file-tree.ts'
import { builtProgram } from './processes/built-program.ts'
import type { SwappedStore } from './processes/link-swapper.ts'
import type { MakeBackend } from './run-contract.ts'

export interface LinkRace {
  readonly make: MakeBackend
  readonly filesIn: (directory: string) => string
  /** How long each kind of verb is tested. */
  readonly ms: number
}

export interface LinkRaceReport {
  readonly looks: number
  /** Reads that showed a text, a name or a size from outside. */
  readonly shownFromOutside: number
  readonly changes: number
  /** Files outside that were made, changed or removed. */
  readonly changedOutside: number
  /** Number of refused calls by code. A race without any refusal met no link. */
  readonly refused: Readonly<Record<string, number>>
}

const secret = 'a secret outside the store, longer than what is in it'
const stranger = 'stranger.md'
const swapped = ['folder', 'folder/deep', 'folder/note.md', 'folder/deep/note.md'] as const
const notes = ['folder/note.md', 'folder/deep/note.md'] as const

/**
 * Uses every verb of a backend while another process swaps files for links that lead outside, and reports what got out.
 *
 * @example
 * ```ts
 * import { DeviceLocalBackend } from '@agentm/backend-device-local'
 * import { raceLinks } from '@agentm/conformance'
 *
 * const make = async (directory: string) => new DeviceLocalBackend(directory)
 * const { changedOutside } = await raceLinks({ make, filesIn: (directory) => directory, ms: 1000 })
 * ```
 */
export async function raceLinks({ make, filesIn, ms }: LinkRace): Promise<LinkRaceReport> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'agentm-race-')))
  try {
    const store = join(home, 'store')
    await mkdir(store)
    const backend = await make(store)
    for (const key of notes) await backend.write(new Locator(key), 'inside')
    const root = filesIn(store)
    const outside = join(home, 'outside')
    await mkdir(join(outside, 'folder', 'deep'), { recursive: true })
    for (const key of notes) await writeFile(join(outside, key), secret)
    for (const folder of ['folder', 'folder/deep']) await writeFile(join(outside, folder, stranger), secret)
    const before = await fileTree(outside)
    const report = await whileSwapping({ root, outside, places: swapped }, async () => race(backend, ms))
    const after = await fileTree(outside)
    const all = new Set([...before.keys(), ...after.keys()])
    return { ...report, changedOutside: [...all].filter((each) => before.get(each) !== after.get(each)).length }
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function whileSwapping<T>(swappedStore: SwappedStore, work: () => Promise<T>): Promise<T> {
  const swapper = spawn(process.execPath, [builtProgram('link-swapper'), JSON.stringify(swappedStore)], {
    stdio: 'ignore',
  })
  const gone = once(swapper, 'exit')
  try {
    return await work()
  } finally {
    swapper.kill('SIGKILL')
    await gone
  }
}

async function race(backend: StorageBackend, ms: number): Promise<Omit<LinkRaceReport, 'changedOutside'>> {
  const refused: Record<string, number> = {}
  const attempt = async (verb: Verb, key: string, i: number): Promise<string> => {
    try {
      return await verb(backend, new Locator(key), i)
    } catch (error) {
      const code = isSeamError(error) ? error.code : String((error as { readonly code?: unknown }).code)
      refused[code] = (refused[code] ?? 0) + 1
      return ''
    }
  }
  const count = { looks: 0, shownFromOutside: 0, changes: 0 }
  for (const verb of looks)
    for (const until = Date.now() + ms; Date.now() < until; count.looks++) {
      const shown = await attempt(verb, notes[count.looks % 2] ?? '', count.looks)
      if (shown.includes(secret) || shown.includes(stranger) || shown.includes(sizeOfSecret)) count.shownFromOutside++
    }
  for (const verb of changes)
    for (const until = Date.now() + ms; Date.now() < until; count.changes++)
      await attempt(verb, notes[count.changes % 2] ?? '', count.changes)
  return { ...count, refused }
}

type Verb = (backend: StorageBackend, at: Locator, i: number) => Promise<string>

const sizeOfSecret = `${secret.length} bytes`

/** Each verb returns, as text, what it showed. */
const looks: readonly Verb[] = [
  async (backend, at) => backend.read(at),
  async (backend, at) => (await backend.list(at.parent)).map(({ key }) => key).join('\n'),
  async (backend, at) => `${(await backend.info(at)).size} bytes`,
  async (backend, at) =>
    (await backend.listInfo(at.parent)).children
      .map((child) => ('size' in child ? `${child.locator.key} ${child.size} bytes` : child.refusal.code))
      .join('\n'),
]

const changes: readonly Verb[] = [
  async (backend, at) => (await backend.write(at, 'inside')).key,
  async (backend, at, i) => (await backend.write(at.parent.child(`new-${i}.md`), 'inside')).key,
  async (backend, at, i) => (await backend.write(at.parent.child(`made-${i}`, 'new.md'), 'inside')).key,
  async (backend, at) => (await backend.update(at, (text = '') => (text.length > 40 ? 'inside' : `${text}!`))) ?? '',
  async (backend, at, i) => (await backend.mkdir(at.parent.child(`folder-${i}`))).key,
  async (backend, at) => {
    await backend.write(at, 'inside')
    await backend.remove(at)
    return ''
  },
]
