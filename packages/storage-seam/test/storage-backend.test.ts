import {
  Capabilities,
  ConcurrentModificationError,
  checkUnchanged,
  contentHash,
  type Info,
  InvalidTextError,
  isSeamError,
  Locator,
  NotFoundError,
  StorageBackend,
  UnsupportedCapabilityError,
  type WriteOptions,
} from '@agentm/storage-seam'
import { describe, expect, it } from 'vitest'

class Shelf extends StorageBackend {
  readonly capabilities: Capabilities
  readonly texts = new Map<string, string>()
  /** Runs before each write, as another writer would. */
  meanwhile: (() => void) | undefined

  constructor(capabilities = new Capabilities({ conditionalWrite: true })) {
    super()
    this.capabilities = capabilities
  }

  async read(at: Locator): Promise<string> {
    const text = this.texts.get(at.key)
    if (text === undefined) throw new NotFoundError(at)
    return text
  }

  async write(at: Locator, text: string, { ifHash }: WriteOptions = {}): Promise<Locator> {
    this.meanwhile?.()
    checkUnchanged(at, this.texts.get(at.key), ifHash)
    this.texts.set(at.key, text)
    return at
  }

  async list(): Promise<Locator[]> {
    return [...this.texts.keys()].map((key) => new Locator(key))
  }

  async exists(at: Locator): Promise<boolean> {
    return this.texts.has(at.key)
  }

  async info(at: Locator): Promise<Info> {
    return { locator: at, isDir: false, size: (await this.read(at)).length, mtime: 0 }
  }

  async mkdir(at: Locator): Promise<Locator> {
    return at
  }
}

const note = new Locator('note')

describe('StorageBackend', () => {
  it('resolves without I/O, and no parts are the root', () => {
    expect(new Shelf().resolve().key).toBe('')
    expect(new Shelf().resolve('a', 'b/c').key).toBe('a/b/c')
  })

  it('promises nothing that is not declared', () => {
    const shelf = new Shelf(new Capabilities())
    expect(Object.values(shelf.capabilities).every((flag) => !flag)).toBe(true)
    expect(Object.isFrozen(shelf.capabilities)).toBe(true)
    expect(shelf.conflictStrategy).toBe('none')
    expect(shelf.derivedMaintenance).toBeUndefined()
  })

  it('refuses an optional verb by the name of the capability', async () => {
    const shelf = new Shelf(new Capabilities())
    const grant = { id: '1', target: 'note', hash: contentHash('x'), replaces: null, expires: 0 }
    await expect(shelf.update(note, () => 'x')).rejects.toThrow('conditionalWrite')
    await expect(shelf.remove(note)).rejects.toThrow('removal')
    await expect(shelf.personalWrite(note, 'x', grant)).rejects.toThrow(UnsupportedCapabilityError)
  })

  it('says which class forgot a verb it declares', async () => {
    const shelf = new Shelf(new Capabilities({ removal: true }))
    await expect(shelf.remove(note)).rejects.toThrow('Shelf declares removal but does not implement remove()')
  })
})

describe('the default update', () => {
  it('creates, changes, and leaves alone', async () => {
    const shelf = new Shelf()
    expect(await shelf.update(note, (text) => text ?? 'first')).toBe('first')
    expect(await shelf.update(note, (text) => `${text}!`)).toBe('first!')
    expect(await shelf.update(note, () => undefined)).toBe('first!')
    expect(shelf.texts.get('note')).toBe('first!')
  })

  it('starts over when somebody else was faster, so neither change is lost', async () => {
    const shelf = new Shelf()
    let others = 3
    shelf.meanwhile = () => {
      if (others-- > 0) shelf.texts.set('note', `${shelf.texts.get('note') ?? ''}o`)
    }
    expect(await shelf.update(note, (text) => `${text ?? ''}+`)).toBe('ooo+')
  })

  it('gives up loudly when others are always faster', async () => {
    const shelf = new Shelf()
    shelf.meanwhile = () => shelf.texts.set('note', `${shelf.texts.get('note') ?? ''}o`)
    await expect(shelf.update(note, () => 'mine')).rejects.toThrow(ConcurrentModificationError)
  })
})

describe('contentHash', () => {
  it('is the SHA-256 of the UTF-8 bytes', () => {
    expect(contentHash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(contentHash('é')).toBe(contentHash(new Uint8Array([0xc3, 0xa9])))
  })

  it('refuses text that has no UTF-8 form', () => {
    expect(() => contentHash('\uD800')).toThrow(InvalidTextError)
  })
})

describe('isSeamError', () => {
  it('goes by code, so an error of another copy of the package counts', () => {
    const foreign = Object.assign(new Error('gone'), { code: 'NOT_FOUND' })
    expect(isSeamError(foreign, 'NOT_FOUND')).toBe(true)
    expect(isSeamError(foreign)).toBe(true)
    expect(isSeamError(Object.assign(new Error('no'), { code: 'ENOENT' }))).toBe(false)
  })
})
