/**
 * Writes nodes with all their versions to a file of compressed lines of JSON. The file is on the disk, and was read again from there, before
 * this resolves. An existing file is never overwritten.
 */
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Head, NodeLog } from '@agentm/nodes'
import { ArchiveError } from './archive-error.ts'
import type { ArchivedVersion, ArchiveEnd } from './archived-version.ts'
import { readArchive } from './read-archive.ts'

export interface ArchiveSource {
  readonly log: Pick<NodeLog, 'history'>
  readonly owner: string
  readonly nodes: AsyncIterable<{ readonly group: string; readonly head: Head }>
  readonly now: Date
  readonly signal: AbortSignal
  readonly onProgress?: (versions: number) => void
}

export async function writeArchive(source: ArchiveSource, to: string): Promise<ArchiveEnd> {
  const file = await created(to)
  const written: ArchiveEnd = { nodes: 0, versions: 0, sha256: '' }
  try {
    const lines = Readable.from(linesOf(source, written))
    // With `flush`, the bytes are on the disk when the file is closed.
    await pipeline(lines, createGzip(), file.createWriteStream({ flush: true }), { signal: source.signal })
    await syncDirectory(path.dirname(to))
    return await verified(to, written)
  } catch (error) {
    await rm(to, { force: true })
    if (!source.signal.aborted) throw error
    throw new ArchiveError(`interrupted: ${to} was not finished and is deleted. Nothing was removed from the log.`, {
      cause: error,
    })
  }
}

async function created(to: string) {
  try {
    return await open(to, 'wx', 0o600)
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new ArchiveError(`${to} already exists and was not overwritten. Name another file.`, { cause: error })
    if (codeOf(error) === 'ENOENT')
      throw new ArchiveError(`the directory ${path.dirname(to)} does not exist. Create it first.`, { cause: error })
    throw error
  }
}

/** Counts into `written` what it yields. */
async function* linesOf(
  { log, owner, nodes, now, onProgress }: ArchiveSource,
  written: { -readonly [Field in keyof ArchiveEnd]: ArchiveEnd[Field] },
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const line = (content: object): string => {
    const text = `${JSON.stringify(content)}\n`
    hash.update(text)
    return text
  }
  yield line({ agentm: 'archive', format: 1, createdAt: now.toISOString(), owner })
  for await (const { group, head } of nodes) {
    for (const node of await log.history(head.id, { owner })) {
      yield line({ group, node } satisfies ArchivedVersion)
      written.versions += 1
    }
    written.nodes += 1
    onProgress?.(written.versions)
  }
  written.sha256 = hash.digest('hex')
  yield `${JSON.stringify({ end: written })}\n`
}

/** Reads what is on the disk and compares it with what was written. */
async function verified(to: string, written: ArchiveEnd): Promise<ArchiveEnd> {
  const read = { end: undefined as ArchiveEnd | undefined }
  for await (const _ of readArchive(to, { onEnd: (end) => (read.end = end) })) continue
  if (read.end?.sha256 !== written.sha256)
    throw new ArchiveError(`${to} does not contain what was written to it. Nothing was removed. Use another disk.`)
  return read.end
}

/** Otherwise a power failure could lose the name of the file. Windows has no such call for directories. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
