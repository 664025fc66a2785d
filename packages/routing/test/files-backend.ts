/** Plain files under a root, as little as the tests need: no lock, no confinement. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  Capabilities,
  type CapabilityName,
  checkUnchanged,
  CorruptTextError,
  type Info,
  type Locator,
  NotAFileError,
  NotFoundError,
  StorageBackend,
  type WriteOptions,
} from '@agentm/storage-seam'

export class FilesBackend extends StorageBackend {
  readonly capabilities: Capabilities
  readonly #root: string

  constructor(root: string, declares: Partial<Record<CapabilityName, boolean>> = { conditionalWrite: true }) {
    super()
    this.#root = root
    this.capabilities = new Capabilities(declares)
  }

  async read(at: Locator): Promise<string> {
    const bytes = await readFile(this.#path(at)).catch((error: unknown) => {
      throw translated(error, at)
    })
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch (error) {
      throw new CorruptTextError(at, { cause: error })
    }
  }

  async write(at: Locator, text: string, { ifHash }: WriteOptions = {}): Promise<Locator> {
    if (ifHash !== undefined) checkUnchanged(at, await this.read(at).catch(() => undefined), ifHash)
    await mkdir(dirname(this.#path(at)), { recursive: true })
    await writeFile(this.#path(at), text)
    return at
  }

  async list(at: Locator): Promise<Locator[]> {
    const names = await readdir(this.#path(at)).catch(() => [])
    return names.toSorted((a, b) => (a < b ? -1 : 1)).map((name) => at.child(name))
  }

  async exists(at: Locator): Promise<boolean> {
    return await stat(this.#path(at)).then(
      () => true,
      () => false,
    )
  }

  async info(at: Locator): Promise<Info> {
    const found = await stat(this.#path(at)).catch((error: unknown) => {
      throw translated(error, at)
    })
    return { locator: at, isDir: found.isDirectory(), size: found.size, mtime: found.mtimeMs / 1000 }
  }

  async mkdir(at: Locator): Promise<Locator> {
    await mkdir(this.#path(at), { recursive: true })
    return at
  }

  #path(at: Locator): string {
    return join(this.#root, ...at.parts)
  }
}

function translated(error: unknown, at: Locator): unknown {
  const { code } = error as { code?: unknown }
  if (code === 'ENOENT' || code === 'ENOTDIR') return new NotFoundError(at)
  return code === 'EISDIR' ? new NotAFileError(at, 'a directory') : error
}
