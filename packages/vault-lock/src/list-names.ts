/** The names in one directory that are keys, in code point order, without the files that this package keeps there. */
import { isUtf8 } from 'node:buffer'
import { isSeamError, type Locator, normalizeKey } from '@agentm/storage-seam'
import type { FilePath } from './file-path.ts'
import { isErrno } from './errno.ts'
import type { FileSystem } from './file-system.ts'
import { placesName } from './pure/place-record.ts'
import { isTemporaryName } from './pure/temporary-name.ts'

/** A directory entry that cannot be a key, and why. */
export interface Skipped {
  readonly in: Locator
  readonly name: string
  readonly why: string
}

/** How a sync program names the small file that stands in for one it has not downloaded. */
export interface StandIns {
  /** The names of the placeholder files that may stand for `name`. */
  of(name: string): readonly string[]
  /** The name that a placeholder stands for; `undefined` for an ordinary entry. */
  original(name: string): string | undefined
}

export interface ListOptions {
  readonly fs: FileSystem
  readonly standIns?: StandIns
  readonly onSkipped?: (skipped: Skipped) => void
}

export async function listNames(directory: FilePath, at: Locator, options: ListOptions): Promise<string[]> {
  const names = new Set<string>()
  for (const entry of await entriesOf(directory, options.fs)) {
    const name = entry.toString('utf8')
    const why = unusable(entry, name)
    if (why !== undefined) options.onSkipped?.({ in: at, name, why })
    else if (!isTemporaryName(name) && name !== placesName) names.add(options.standIns?.original(name) ?? name)
  }
  return byCodePoint([...names])
}

/** Plain sorting compares UTF-16 units, which differs from code point order only if a name contains surrogates. */
function byCodePoint(names: readonly string[]): string[] {
  if (!names.some((name) => /[\uD800-\uDFFF]/.test(name))) return names.toSorted()
  return names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

async function entriesOf(directory: FilePath, fs: FileSystem): Promise<Buffer[]> {
  try {
    return await fs.readdirBytes(directory)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

function unusable(entry: Buffer, name: string): string | undefined {
  if (!isUtf8(entry)) return 'its name is not UTF-8'
  try {
    normalizeKey(name)
    return undefined
  } catch (error) {
    if (isSeamError(error, 'INVALID_LOCATOR')) return error.message
    throw error
  }
}
