/** An honest backend over a directory, small because it follows no link at all. Faults are planted in what it checks. */
import { lstat, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { InMemoryBackend } from '@agentm/conformance'
import {
  asLocator,
  Capabilities,
  CorruptTextError,
  type Info,
  InvalidLocatorError,
  InvalidTextError,
  Locator,
  NotAFileError,
  NotFoundError,
  OutsideStoreError,
  requireCapability,
  StorageBackend,
  type WriteOptions,
} from '@agentm/storage-seam'

export class DirectoryBackend extends StorageBackend {
  override readonly capabilities = new Capabilities({ removal: true })
  readonly #root: string

  constructor(root: string) {
    super()
    this.#root = root
  }

  override async read(given: Locator): Promise<string> {
    const at = this.normal(given)
    await this.checkLinks(at, 'look')
    if ((await this.#kind(at)) === 'directory') throw new NotAFileError(at, 'a directory')
    return this.decode(at, await readFile(this.#path(at)).catch(refusing(at)))
  }

  override async write(given: Locator, text: string, options: WriteOptions = {}): Promise<Locator> {
    const at = this.normal(given)
    if (options.ifHash !== undefined) requireCapability(this, 'conditionalWrite')
    if (!text.isWellFormed()) throw new InvalidTextError('the text to write')
    await this.checkLinks(at, 'change')
    if (at.key === '' || (await this.#kind(at)) === 'directory') throw new NotAFileError(at, 'a directory')
    await mkdir(dirname(this.#path(at)), { recursive: true }).catch(refusing(at))
    await writeFile(this.#path(at), text).catch(refusing(at))
    return at
  }

  override async list(given: Locator): Promise<Locator[]> {
    const at = this.normal(given)
    await this.checkLinks(at, 'look')
    if ((await this.#kind(at)) !== 'directory') return []
    const names = await readdir(this.#path(at))
    // The order is not what is planted here, so it is borrowed from the reference.
    const sorted = new InMemoryBackend()
    for (const name of names) await sorted.write(new Locator(name), '')
    return (await sorted.list(new Locator(''))).map(({ key }) => at.child(key))
  }

  override async exists(at: Locator): Promise<boolean> {
    return (await this.#kind(this.normal(at))) !== 'absent'
  }

  override async info(given: Locator): Promise<Info> {
    const locator = this.normal(given)
    await this.checkLinks(locator, 'look')
    const found = await stat(this.#path(locator)).catch(refusing(locator))
    const isDir = found.isDirectory()
    return { locator, isDir, size: isDir ? 0 : found.size, mtime: found.mtimeMs / 1000 }
  }

  override async mkdir(given: Locator): Promise<Locator> {
    const at = this.normal(given)
    await this.checkLinks(at, 'change')
    await mkdir(this.#path(at), { recursive: true }).catch((error: unknown) => {
      throw new NotAFileError(at, 'a file, or below one', { cause: error })
    })
    return at
  }

  override async remove(given: Locator, { ifHash }: { readonly ifHash?: string } = {}): Promise<void> {
    const at = this.normal(given)
    await this.checkLinks(at, 'change')
    const text = await this.read(at)
    const probe = new InMemoryBackend()
    await probe.write(at, text)
    await probe.remove(at, ifHash === undefined ? {} : { ifHash })
    await rm(this.#path(at))
  }

  protected normal(at: Locator): Locator {
    return asLocator(at)
  }

  protected async checkLinks(at: Locator, _purpose: 'look' | 'change'): Promise<void> {
    for (const i of at.key.split('/').keys()) {
      const path = join(this.#root, ...at.key.split('/').slice(0, i + 1))
      const found = await lstat(path).catch(() => undefined)
      if (found?.isSymbolicLink()) throw new OutsideStoreError(at)
    }
  }

  /** For faults that concern only some links. */
  protected async leadsInside(at: Locator): Promise<boolean> {
    const [root, place] = await Promise.all([this.#root, this.#path(at)].map((each) => realpath(each).catch(() => '')))
    return place === root || place?.startsWith(`${root}${sep}`) === true
  }

  protected decode(at: Locator, bytes: Uint8Array): string {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch (error) {
      throw new CorruptTextError(at, { cause: error })
    }
  }

  async #kind(at: Locator): Promise<'file' | 'directory' | 'absent'> {
    const found = await stat(this.#path(at)).catch(() => undefined)
    if (found === undefined) return 'absent'
    return found.isDirectory() ? 'directory' : 'file'
  }

  #path(at: Locator): string {
    return join(this.#root, at.key)
  }
}

/** `EEXIST` and `ENOTDIR` on the way to a write mean that a file is in the way; on the way to a read, that nothing is there. */
function refusing(at: Locator): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const syscall = error instanceof Error && 'syscall' in error ? error.syscall : undefined
    if (code === 'ENAMETOOLONG') throw new InvalidLocatorError(at.key, 'it is too long')
    if (syscall === 'mkdir') throw new NotAFileError(at, 'below a file', { cause: error })
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new NotFoundError(at, { cause: error })
    throw error
  }
}
