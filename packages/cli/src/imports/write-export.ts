/**
 * Writes an export: every note of the store in its tree, byte for byte, and nodes of the log as lines of JSON. The manifest says that the
 * export is incomplete until everything else is on disk, so that an interrupted one is recognised.
 */
import { DeviceLocalBackend } from '@agentm/backend-device-local'
import type { Node, NodeLog } from '@agentm/nodes'
import { isSeamError, type Locator, type StorageBackend } from '@agentm/storage-seam'
import { filePath } from '@agentm/vault-lock'
import { nodeLine } from './exported-belief.ts'
import { type ExportManifest, manifestName, manifestText, notesFolder } from './export-manifest.ts'
import { isExportedKey } from './pure/exported-key.ts'

export interface ExportedStore {
  readonly backend: StorageBackend
  /** Absent where no log was ever written. */
  readonly log: Pick<NodeLog, 'scan'> | undefined
  readonly owner: string
  /** Only nodes of these concepts (default: all of them, with all versions). */
  readonly concepts: readonly string[] | undefined
  readonly now: number
}

export interface WrittenExport {
  readonly notes: number
  readonly nodes: number
  /** Notes that cannot be read now. */
  readonly unreadable: readonly string[]
}

export async function writeExport(folder: string, store: ExportedStore): Promise<WrittenExport> {
  const target = new DeviceLocalBackend(filePath(folder), { privateRoot: true })
  const begun: ExportManifest = {
    layout: 1,
    complete: false,
    exportedAt: new Date(store.now).toISOString(),
    notes: 0,
    nodes: 0,
  }
  await target.write(target.resolve(manifestName), manifestText(begun))
  const { keys, unreadable } = await writeNotes(target, store.backend)
  const nodes = await writeNodes(target, store)
  await removeOthers(target, target.resolve(notesFolder), new Set([...keys].map((key) => `${notesFolder}/${key}`)))
  const counts = { notes: keys.size, nodes: nodes.count }
  await removeNodeFiles(target, nodes.files)
  await target.write(target.resolve(manifestName), manifestText({ ...begun, ...counts, complete: true }))
  return { ...counts, unreadable }
}

async function writeNotes(target: StorageBackend, backend: StorageBackend) {
  const keys = new Set<string>()
  const unreadable: string[] = []
  for await (const at of notesBelow(backend, backend.resolve(''))) {
    const text = await readNote(backend, at)
    if (text === undefined) unreadable.push(at.key)
    else {
      await target.write(target.resolve(`${notesFolder}/${at.key}`), text)
      keys.add(at.key)
    }
  }
  return { keys, unreadable }
}

async function* notesBelow(backend: StorageBackend, directory: Locator): AsyncGenerator<Locator> {
  const { children } = await backend.listInfo(directory)
  for (const child of children) {
    const { locator } = child
    const isFolder = 'isDir' in child && child.isDir
    if (isFolder && isExportedKey(`${locator.key}/x.md`)) yield* notesBelow(backend, locator)
    else if (!isFolder && isExportedKey(locator.key)) yield locator
  }
}

const unreadableCodes = ['CORRUPT_TEXT', 'ONLINE_ONLY', 'NOT_A_FILE', 'OUTSIDE_STORE', 'NOT_FOUND']

/** `undefined` if this one note cannot be read. */
async function readNote(backend: StorageBackend, at: Locator): Promise<string | undefined> {
  try {
    return await backend.read(at)
  } catch (error) {
    if (isSeamError(error) && unreadableCodes.includes(error.code)) return undefined
    throw error
  }
}

/** In characters. A file of the nodes is begun anew after that many, because it is written as a whole. */
const longestFile = 32_000_000

async function writeNodes(target: StorageBackend, store: ExportedStore) {
  const files: string[] = []
  let lines: string[] = []
  let size = 0
  let count = 0
  const flush = async () => {
    const name = files.length === 0 ? 'nodes.jsonl' : `nodes-${files.length + 1}.jsonl`
    files.push(name)
    await target.write(target.resolve(name), lines.map((line) => `${line}\n`).join(''))
    lines = []
    size = 0
  }
  for await (const node of nodesOf(store)) {
    const line = nodeLine(node)
    lines.push(line)
    size += line.length
    count++
    if (size > longestFile) await flush()
  }
  if (lines.length > 0 || files.length === 0) await flush()
  return { count, files }
}

async function* nodesOf({ log, owner, concepts }: ExportedStore): AsyncGenerator<Node> {
  let cursor: string | undefined
  do {
    const from = cursor === undefined ? {} : { cursor }
    const page =
      concepts === undefined
        ? await log?.scan({ owner, versions: 'all', ...from })
        : await log?.scan({ owner, concepts, ...from })
    yield* page?.nodes ?? []
    cursor = page?.cursor
  } while (cursor !== undefined)
}

/** Notes of an earlier export that are no longer in the store. */
async function removeOthers(target: StorageBackend, directory: Locator, keep: ReadonlySet<string>): Promise<void> {
  if (!(await target.exists(directory))) return
  const { children } = await target.listInfo(directory)
  for (const child of children) {
    if ('isDir' in child && child.isDir) await removeOthers(target, child.locator, keep)
    else if (!keep.has(child.locator.key)) await target.remove(child.locator)
  }
}

async function removeNodeFiles(target: StorageBackend, keep: readonly string[]): Promise<void> {
  for (const at of await target.list(target.resolve('')))
    if (/^nodes(?:-\d+)?\.jsonl$/.test(at.key) && !keep.includes(at.key)) await target.remove(at)
}
