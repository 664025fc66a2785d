/**
 * The bytes of pictures and documents in conversations, below `AGENTM_HOME`, each in a file named after its content. They are not in
 * the log, so neither its backups nor its exports have them. What nobody has used for 90 days is removed.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { MediaStore } from '@agentm/agent-loop/internal'
import { agentmHome, type SelectionWorld } from '@agentm/selection/reader'

const keptMs = 90 * 86_400_000
/** A use is noted once a day. */
const notedMs = 86_400_000

export function mediaStore(
  world: SelectionWorld,
  { now = Date.now }: { readonly now?: () => number } = {},
): MediaStore {
  const directory = path.join(agentmHome(world), 'media')
  const fileOf = (hash: string): string => path.join(directory, hash)
  /** `undefined` also if somebody changed them. */
  const read = async (hash: string): Promise<Uint8Array | undefined> => {
    const bytes = await readIfThere(fileOf(hash))
    if (bytes === undefined || createHash('sha256').update(bytes).digest('hex') !== hash) return undefined
    await noteUse(fileOf(hash), now())
    return bytes
  }
  return {
    async keep({ hash }, bytes) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await removeUnused(directory, now() - keptMs)
      if ((await read(hash)) !== undefined) return
      // Renamed, so that nobody reads half of it.
      const draft = `${fileOf(hash)}.${randomUUID()}`
      await writeFile(draft, bytes, { mode: 0o600 })
      await rename(draft, fileOf(hash))
    },
    read: ({ hash }) => read(hash),
  }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

async function noteUse(file: string, now: number): Promise<void> {
  try {
    const { mtimeMs } = await stat(file)
    if (now - mtimeMs > notedMs) await utimes(file, now / 1000, now / 1000)
  } catch (error) {
    // Another process has just removed it; it was read already.
    if (!isAbsent(error)) throw error
  }
}

async function removeUnused(directory: string, before: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name)
    const { mtimeMs = before } = (await statIfThere(file)) ?? {}
    if (mtimeMs < before) await rm(file, { force: true })
  }
}

async function statIfThere(file: string): Promise<{ readonly mtimeMs: number } | undefined> {
  try {
    return await stat(file)
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
