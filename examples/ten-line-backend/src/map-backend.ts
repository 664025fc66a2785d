/** Keeps text in a Map. A place without text is a directory. */
import {
  Capabilities,
  contentHash,
  type Info,
  Locator,
  NotAFileError,
  NotFoundError,
  requireCapability,
  StorageBackend,
  type WriteOptions,
} from '@agentm/storage-seam'

export class MapBackend extends StorageBackend {
  override readonly capabilities: Capabilities = new Capabilities()
  protected readonly places = new Map([['', place(new Locator(''))]])

  override async read(at: Locator): Promise<string> {
    await this.info(at) // Refuses what is absent.
    const text = this.places.get(at.key)?.text
    if (text === undefined) throw new NotAFileError(at, 'a directory')
    return text
  }

  override async write(at: Locator, text: string, { ifHash }: WriteOptions = {}): Promise<Locator> {
    if (ifHash !== undefined) requireCapability(this, 'conditionalWrite')
    contentHash(text) // Refuses text that has no UTF-8 form.
    return this.#put(at, text)
  }

  override async list(at: Locator): Promise<Locator[]> {
    const all = [...this.places.values()].map(({ locator }) => locator)
    return all.filter((child) => child.key !== '' && child.parent.equals(at)).toSorted(byCodePoint)
  }

  override async exists(at: Locator): Promise<boolean> {
    return this.places.has(at.key)
  }

  override async info(at: Locator): Promise<Info> {
    const found = this.places.get(at.key)
    if (found === undefined) throw new NotFoundError(at)
    return found
  }

  override async mkdir(at: Locator): Promise<Locator> {
    return this.#put(at)
  }

  #put(at: Locator, text?: string): Locator {
    const there = this.places.get(at.key)
    if (there !== undefined && there.isDir !== (text === undefined)) throw new NotAFileError(at, 'of another kind')
    if (at.key !== '') this.#put(at.parent)
    this.places.set(at.key, place(at, text))
    return at
  }
}

interface Place extends Info {
  readonly text?: string
}

function place(locator: Locator, text?: string): Place {
  const info = { locator, isDir: text === undefined, size: Buffer.byteLength(text ?? ''), mtime: Date.now() / 1000 }
  return text === undefined ? info : { ...info, text }
}

/** UTF-8 bytes sort as code points do; UTF-16, which `<` compares, does not. */
function byCodePoint(a: Locator, b: Locator): number {
  return Buffer.compare(Buffer.from(a.key), Buffer.from(b.key))
}
