/**
 * For every contract a backend that breaks it, and nothing else. Each fault is one that somebody could make: a cache that
 * is not asked again, a hash over other bytes, a condition looked at too early.
 */
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { setImmediate as tick } from 'node:timers/promises'
import { type ConformanceOptions, InMemoryBackend, InMemoryDerivedBackend, type MakeBackend } from '@agentm/conformance'
import {
  Capabilities,
  type Change,
  ConcurrentModificationError,
  type DerivedMaintenance,
  type Info,
  InvalidLocatorError,
  InvalidTextError,
  isLocator,
  isSeamError,
  type Listing,
  Locator,
  NotAFileError,
  NotFoundError,
  type PersonalGrant,
  requireCapability,
  type Tier,
  type WriteOptions,
} from '@agentm/storage-seam'
import { DirectoryBackend } from './directory-backend.ts'
import { overlooking, PersonalBackend, type Flaw } from './personal-backend.ts'

export interface Planted {
  readonly make: MakeBackend
  readonly options?: ConformanceOptions
}

/** By the id of the contract that must fail. The process contracts have their faults in `journal.mjs`. */
export const plantedBackends: Readonly<Record<string, Planted>> = {
  'resolve-names-places': inMemory(
    class extends InMemoryBackend {
      override resolve(...parts: readonly string[]) {
        return super.resolve(...(parts.length === 0 ? ['store'] : parts))
      }
    },
  ),
  'resolve-one-spelling': inMemory(
    class extends InMemoryBackend {
      override resolve(...parts: readonly string[]) {
        return super.resolve(...parts.map((part) => part.replaceAll('//', '/_/')))
      }
    },
  ),
  'resolve-refuses-climbing': inMemory(
    class extends InMemoryBackend {
      override resolve(...parts: readonly string[]) {
        return super.resolve(posix.join('/', ...parts))
      }
    },
  ),
  'resolve-refuses-unportable': inMemory(
    class extends InMemoryBackend {
      override resolve(...parts: readonly string[]) {
        return super.resolve(...parts.map((part) => part.replaceAll('\\', '/')))
      }
    },
  ),
  'locators-frozen': inMemory(
    class extends InMemoryBackend {
      override async list(at: Locator) {
        return (await super.list(at)).map(thawed)
      }
    },
  ),
  'locators-of-another-copy': inMemory(
    class extends InMemoryBackend {
      override async read(at: Locator) {
        if (!(at instanceof Locator)) throw new TypeError('not a locator')
        return super.read(at)
      }
    },
  ),
  'write-read': inMemory(
    class extends InMemoryBackend {
      readonly #byName = new Map<string, string>()
      override async write(at: Locator, text: string, options?: WriteOptions) {
        const written = await super.write(at, text, options)
        this.#byName.set(written.name, text)
        return written
      }
      override async read(at: Locator) {
        const text = await super.read(at)
        return this.#byName.get(at.name) ?? text
      }
    },
  ),
  'write-answers-place': inMemory(
    class extends InMemoryBackend {
      override async write(at: Locator, text: string, options?: WriteOptions) {
        await super.write(at, text, options)
        return new Locator('')
      }
    },
  ),
  overwrite: inMemory(
    class extends InMemoryBackend {
      override async write(at: Locator, text: string, options?: WriteOptions) {
        const old = await this.read(at).catch(() => '')
        return super.write(at, text + old.slice(text.length), options)
      }
    },
  ),
  'text-empty': reading((text, at) => {
    if (text === '') throw new NotFoundError(at)
    return text
  }),
  'text-newlines': reading((text) => text.replaceAll(/\r(?!\n)/g, '\n')),
  'text-byte-order-mark': reading((text) => text.replace(/^\uFEFF/, '')),
  'text-unicode': reading((text) => text.replace(/\0.*/s, '')),
  'text-not-normalized': reading((text) => text.normalize('NFC')),
  'text-large': reading((text) => text.slice(0, 1024 * 1024)),
  'text-ill-formed-refused': inMemory(
    class extends InMemoryBackend {
      override async write(at: Locator, text: string, options?: WriteOptions) {
        return super.write(at, text.toWellFormed(), options)
      }
      override async update(at: Locator, change: Change) {
        return super.update(at, (current) => {
          const next = change(current)
          if (next?.isWellFormed() === false) throw new InvalidTextError('the updated text')
          return next
        })
      }
    },
  ),
  'names-unicode': listing((found) => found.map(({ key }) => new Locator(key.replaceAll(' ', '_')))),
  'names-kept': listing((found) => found.filter(({ name }) => !name.endsWith('.tmp'))),
  'names-long': inMemory(
    class extends InMemoryBackend {
      override async write(at: Locator, text: string, options?: WriteOptions) {
        if (at.name.length > 246) throw new InvalidLocatorError(`${at.key}.draft`, 'its draft has no place')
        return super.write(at, text, options)
      }
    },
  ),
  'names-case': inMemory(
    class extends InMemoryBackend {
      override async read(at: Locator) {
        return super.read(await spelledAsKept(this, at))
      }
      override async write(at: Locator, text: string, options?: WriteOptions) {
        return super.write(await spelledAsKept(this, at), text, options)
      }
    },
  ),
  'names-accents': inMemory(
    class extends InMemoryBackend {
      override async write(at: Locator, text: string, options?: WriteOptions) {
        const composed = new Locator(at.key.normalize('NFC'))
        return super.write(composed, text, composed.key === at.key ? options : {})
      }
      override async read(at: Locator) {
        return super.read(at).catch(async () => super.read(new Locator(at.key.normalize('NFC'))))
      }
    },
  ),
  'read-absent': inMemory(
    class extends InMemoryBackend {
      override async read(at: Locator) {
        return at.parts.length === 1 && !(await this.exists(at)) ? '' : super.read(at)
      }
    },
  ),
  'read-below-file': inMemory(
    class extends InMemoryBackend {
      override async read(at: Locator) {
        const above = await super.info(at.parent).catch(() => undefined)
        if (above?.isDir === false) throw new NotAFileError(at, 'below a file')
        return super.read(at)
      }
    },
  ),
  'read-directory': inMemory(
    class extends InMemoryBackend {
      override async read(at: Locator) {
        return super.read(at).catch(instead('NOT_A_FILE', ''))
      }
    },
  ),
  'write-root-refused': swallowing(({ key }) => key === ''),
  'write-directory-refused': swallowing(({ key }, exists) => key !== '' && exists),
  'write-below-file-refused': swallowing((_, exists) => !exists),
  'mkdir-file-refused': inMemory(
    class extends InMemoryBackend {
      override async mkdir(at: Locator) {
        return super.mkdir(at).catch(instead('NOT_A_FILE', at))
      }
    },
  ),
  'list-children': inMemory(
    class extends InMemoryBackend {
      override async list(at: Locator) {
        if (at.key === '') return super.list(at)
        const alike = (await super.list(new Locator(''))).filter(({ key }) => key !== at.key && key.startsWith(at.key))
        return [...(await super.list(at)), ...alike]
      }
    },
  ),
  'list-order': listing((found) => {
    const keys = found.map(({ key }) => key).toSorted()
    return keys.map((key) => new Locator(key))
  }),
  'list-hidden': listing((found) => found.filter(({ name }) => !name.startsWith('.'))),
  'list-absent': inMemory(
    class extends InMemoryBackend {
      override async list(at: Locator) {
        if (!(await this.exists(at))) throw new NotFoundError(at)
        return super.list(at)
      }
    },
  ),
  'list-file': inMemory(
    class extends InMemoryBackend {
      override async list(at: Locator) {
        const found = await this.info(at).catch(() => undefined)
        return found?.isDir === false ? [at] : super.list(at)
      }
    },
  ),
  'exists-flips': inMemory(
    class extends InMemoryBackend {
      override async exists() {
        return true
      }
    },
  ),
  'info-size': inMemory(
    class extends InMemoryBackend {
      override async info(at: Locator) {
        const found = await super.info(at)
        return found.isDir ? found : { ...found, size: (await this.read(at)).length }
      }
    },
  ),
  'info-directory': informing((found) => (found.isDir ? { ...found, size: 4096 } : found)),
  'info-locator': informing((found) => ({ ...found, locator: new Locator('') })),
  'info-mtime': informing((found) => ({ ...found, mtime: found.mtime * 1000 })),
  'info-revision': informing((found) => ({ ...found, revision: 'always the same' })),
  'info-absent': inMemory(
    class extends InMemoryBackend {
      override async info(at: Locator) {
        return super.info(at).catch(instead('NOT_FOUND', { locator: at, isDir: false, size: 0, mtime: 0 }))
      }
    },
  ),
  'list-info': inMemory(
    class extends InMemoryBackend {
      readonly #known = new Map<string, Listing>()
      override async listInfo(at: Locator) {
        const known = this.#known.get(at.key) ?? (await super.listInfo(at))
        this.#known.set(at.key, known)
        return known
      }
    },
  ),
  'list-revision': inMemory(
    class extends InMemoryBackend {
      override async listInfo(at: Locator) {
        const { children } = await super.listInfo(at)
        return { children, revision: children.map(({ locator }) => locator.key).join() }
      }
    },
  ),
  mkdir: inMemory(
    class extends InMemoryBackend {
      override async mkdir(at: Locator) {
        const there = await this.exists(at)
        if (there && (await this.list(at)).length === 0) throw new NotAFileError(at, 'there already')
        return super.mkdir(at)
      }
    },
  ),
  'mkdir-keeps-content': inMemory(
    class extends InMemoryBackend {
      override async mkdir(at: Locator) {
        for (const child of await this.list(at)) await this.remove(child).catch(instead('NOT_A_FILE', undefined))
        return super.mkdir(at)
      }
    },
  ),
  'capabilities-frozen': inMemory(
    class extends InMemoryBackend {
      override readonly capabilities = Object.assign(
        Object.create(null) as Capabilities,
        new InMemoryBackend().capabilities,
      )
    },
  ),
  'capabilities-conflicts': inMemory(
    class extends InMemoryBackend {
      override readonly capabilities = new Capabilities({ conditionalWrite: true, removal: true, conflictFiles: true })
    },
  ),
  'condition-undeclared': inMemory(
    class extends InMemoryBackend {
      override readonly capabilities = new Capabilities({ removal: true })
      override async write(at: Locator, text: string) {
        return super.write(at, text)
      }
    },
  ),
  'update-undeclared': inMemory(
    class extends InMemoryBackend {
      override readonly capabilities = new Capabilities({ removal: true })
      override async write(at: Locator, text: string, { ifHash }: WriteOptions = {}) {
        if (ifHash !== undefined) requireCapability(this, 'conditionalWrite')
        return super.write(at, text)
      }
      override async update(at: Locator, change: Change) {
        const next = change(await this.read(at))
        if (next !== undefined) await super.write(at, next)
        return next
      }
    },
  ),
  'removal-undeclared': inMemory(
    class extends InMemoryBackend {
      override readonly capabilities = new Capabilities({ conditionalWrite: true })
    },
  ),
  'personal-undeclared': inMemory(
    class extends InMemoryBackend {
      override async personalWrite(at: Locator, text: string) {
        return this.write(at, text)
      }
    },
  ),
  'condition-match': conditioned(async (backend, at, ifHash) => {
    const text = typeof ifHash === 'string' ? await backend.read(at).catch(() => undefined) : undefined
    if (text === undefined) return ifHash
    if (latin1Hash(text) !== ifHash) throw new ConcurrentModificationError(at, ifHash ?? null, latin1Hash(text))
    return undefined
  }),
  'condition-mismatch': conditioned(async (backend, at, ifHash) =>
    typeof ifHash === 'string' && (await backend.exists(at)) ? undefined : ifHash,
  ),
  'condition-gone': conditioned(async (backend, at, ifHash) =>
    typeof ifHash === 'string' && !(await backend.exists(at)) ? undefined : ifHash,
  ),
  'condition-absent': conditioned(async (_, __, ifHash) => ifHash ?? undefined),
  'update-creates': updating((change) => (current) => change(current ?? '')),
  'update-exact': updating((change) => (current) => change(current)?.replaceAll('\r\n', '\n')),
  'update-leaves-alone': updating((change) => (current) => change(current) ?? current ?? ''),
  'update-ill-formed-refused': updating((change) => (current) => change(current)?.toWellFormed()),
  'update-answers-text': inMemory(
    class extends InMemoryBackend {
      override async update(at: Locator, change: Change) {
        const before = await this.read(at).catch(instead('NOT_FOUND', undefined))
        await super.update(at, change)
        return before
      }
    },
  ),
  'update-concurrent': inMemory(
    class extends InMemoryBackend {
      override async update(at: Locator, change: Change) {
        const next = change(await this.read(at).catch(instead('NOT_FOUND', undefined)))
        await tick()
        if (next !== undefined) await this.write(at, next)
        return next
      }
    },
  ),
  'update-throws': inMemory(
    class extends InMemoryBackend {
      override async update(at: Locator, change: Change) {
        return super.update(at, change).catch(async (error: unknown) => {
          if (isSeamError(error)) throw error
          return this.read(at)
        })
      }
    },
  ),
  'update-after-throw': inMemory(
    class extends InMemoryBackend {
      #queue: Promise<unknown> = Promise.resolve()
      override async update(at: Locator, change: Change) {
        const turn = this.#queue.then(async () => super.update(at, change))
        this.#queue = turn
        return turn
      }
    },
  ),
  remove: inMemory(
    class extends InMemoryBackend {
      readonly #removed: Locator[] = []
      override async remove(at: Locator, options?: { readonly ifHash?: string }) {
        await super.remove(at, options)
        this.#removed.push(at)
      }
      override async list(at: Locator) {
        return [...(await super.list(at)), ...this.#removed.filter((gone) => gone.parent.equals(at))]
      }
    },
  ),
  'remove-only-that': inMemory(
    class extends InMemoryBackend {
      override async remove(at: Locator, options?: { readonly ifHash?: string }) {
        await super.remove(at, options)
        for (const other of await this.list(at.parent)) if (other.key.startsWith(at.key)) await super.remove(other)
      }
    },
  ),
  'remove-absent': inMemory(
    class extends InMemoryBackend {
      override async remove(at: Locator, options?: { readonly ifHash?: string }) {
        await super.remove(at, options).catch(instead('NOT_FOUND', undefined))
      }
    },
  ),
  'remove-match': inMemory(
    class extends InMemoryBackend {
      override async remove(at: Locator, { ifHash }: { readonly ifHash?: string } = {}) {
        const actual = latin1Hash(await this.read(at))
        if (ifHash !== undefined && actual !== ifHash) throw new ConcurrentModificationError(at, ifHash, actual)
        await super.remove(at)
      }
    },
  ),
  'remove-mismatch': inMemory(
    class extends InMemoryBackend {
      override async remove(at: Locator) {
        await super.remove(at)
      }
    },
  ),
  'remove-directory-refused': inMemory(
    class extends InMemoryBackend {
      override async remove(at: Locator, options?: { readonly ifHash?: string }): Promise<void> {
        const inside = await this.list(at)
        if (inside.length === 0) return super.remove(at, options)
        for (const child of inside) await this.remove(child)
      }
    },
  ),
  'personal-grant-fits': {
    make: async () =>
      new (class extends PersonalBackend {
        protected override flaw(at: Locator, text: string, grant: PersonalGrant): Flaw | undefined {
          return latin1Hash(text) === grant.hash ? super.flaw(at, text, grant) : 'another text'
        }
      })(),
  },
  'personal-grant-target': { make: async () => overlooking('another place') },
  'personal-grant-text': { make: async () => overlooking('another text') },
  'personal-grant-expired': { make: async () => overlooking('an earlier time') },
  'personal-grant-once': { make: async () => overlooking('a write that was made') },
  'personal-grant-seen': {
    make: async () =>
      new (class extends PersonalBackend {
        protected override overWhat() {
          return {}
        }
      })(),
  },
  'derived-empty-before': {
    make: async () =>
      new (class extends InMemoryDerivedBackend {
        override async write(at: Locator, text: string, options?: WriteOptions) {
          const written = await super.write(at, text, options)
          if (at.parts[0] === 'source') await super.write(this.resolve('shared-abstracts', `${at.name}.draft`), text)
          return written
        }
      })(),
  },
  'derived-identical': deriving((honest, backend) => {
    let builds = 0
    return {
      ...honest,
      async reindex(tier) {
        await honest.reindex(tier)
        await backend.write(backend.resolve(tier.value, 'built.txt'), `build ${++builds}`)
      },
    }
  }),
  'derived-follows': deriving((honest) => {
    const built = new Set<Tier>()
    return {
      ...honest,
      async reindex(tier) {
        if (!built.has(tier)) await honest.reindex(tier)
        built.add(tier)
      },
    }
  }),
  'derived-source-refused': deriving((honest) => ({
    ...honest,
    reindex: async (tier) => (tier.derived ? honest.reindex(tier) : undefined),
  })),
  'derived-changed-since': deriving((honest) => ({ ...honest, changedSince: async () => [] })),
  'confined-read': inDirectory(
    class extends DirectoryBackend {
      protected override async checkLinks(at: Locator, purpose: 'look' | 'change') {
        if (purpose === 'change' || (await this.leadsInside(at))) await super.checkLinks(at, purpose)
      }
    },
  ),
  'links-one-key': inDirectory(
    class extends DirectoryBackend {
      protected override async checkLinks(at: Locator, purpose: 'look' | 'change') {
        if (purpose === 'change' || !(await this.leadsInside(at))) await super.checkLinks(at, purpose)
      }
    },
  ),
  'list-info-links': inDirectory(
    class extends DirectoryBackend {
      override async listInfo(at: Locator) {
        const { children } = await super.listInfo(at)
        return {
          children: children.map((child) =>
            'refusal' in child ? { locator: child.locator, isDir: false, size: 0, mtime: 0 } : child,
          ),
        }
      }
    },
  ),
  'confined-write': inDirectory(
    class extends DirectoryBackend {
      protected override async checkLinks(at: Locator, purpose: 'look' | 'change') {
        if (purpose === 'look') await super.checkLinks(at, purpose)
      }
    },
  ),
  'confined-forged': inDirectory(
    class extends DirectoryBackend {
      protected override normal(at: Locator) {
        return isLocator(at) ? at : super.normal(at)
      }
    },
  ),
  'corrupt-text': inDirectory(
    class extends DirectoryBackend {
      protected override decode(_at: Locator, bytes: Uint8Array) {
        return Buffer.from(bytes).toString('utf8')
      }
    },
  ),
}

/** The key under which something of the same letters is there already, the case aside. */
async function spelledAsKept(backend: InMemoryBackend, at: Locator): Promise<Locator> {
  let kept = new Locator('')
  for (const part of at.parts) {
    const there = await backend.list(kept)
    kept = there.find(({ name }) => name.toLowerCase() === part.toLowerCase()) ?? kept.child(part)
  }
  return kept
}

function inMemory(Backend: new () => InMemoryBackend): Planted {
  return { make: async () => new Backend() }
}

export function inDirectory(Backend: new (root: string) => DirectoryBackend): Planted {
  return { make: async (directory) => new Backend(directory), options: { filesIn: (directory) => directory } }
}

function reading(spoil: (text: string, at: Locator) => string): Planted {
  return inMemory(
    class extends InMemoryBackend {
      override async read(at: Locator) {
        return spoil(await super.read(at), at)
      }
    },
  )
}

function listing(spoil: (found: Locator[]) => Locator[]): Planted {
  return inMemory(
    class extends InMemoryBackend {
      override async list(at: Locator) {
        return spoil(await super.list(at))
      }
    },
  )
}

function informing(spoil: (found: Info) => Info): Planted {
  return inMemory(
    class extends InMemoryBackend {
      override async info(at: Locator) {
        return spoil(await super.info(at))
      }
    },
  )
}

function updating(spoil: (change: Change) => Change): Planted {
  return inMemory(
    class extends InMemoryBackend {
      override async update(at: Locator, change: Change) {
        return super.update(at, spoil(change))
      }
    },
  )
}

/** Takes a write that cannot be made for one that was. */
function swallowing(which: (at: Locator, exists: boolean) => boolean): Planted {
  return inMemory(
    class extends InMemoryBackend {
      override async write(at: Locator, text: string, options?: WriteOptions) {
        const exists = await this.exists(at)
        return super.write(at, text, options).catch((error: unknown) => {
          if (isSeamError(error, 'NOT_A_FILE') && which(at, exists)) return at
          throw error
        })
      }
    },
  )
}

/** Understands the condition of a write in its own way; its update is honest, and does not go through it. */
function conditioned(
  understand: (
    backend: InMemoryBackend,
    at: Locator,
    ifHash: string | null | undefined,
  ) => Promise<string | null | undefined>,
): Planted {
  return inMemory(
    class extends InMemoryBackend {
      readonly #honest = (at: Locator, text: string, options: WriteOptions) => super.write(at, text, options)
      override async write(at: Locator, text: string, { ifHash }: WriteOptions = {}) {
        const understood = await understand(this, at, ifHash)
        return super.write(at, text, understood === undefined ? {} : { ifHash: understood })
      }
      override async update(at: Locator, change: Change) {
        const honest = Object.create(this, {
          write: { value: this.#honest },
          read: { value: async (place: Locator) => this.read(place) },
        }) as InMemoryBackend
        return InMemoryBackend.prototype.update.call(honest, at, change)
      }
    },
  )
}

function deriving(spoil: (honest: DerivedMaintenance, backend: InMemoryBackend) => DerivedMaintenance): Planted {
  return {
    make: async () =>
      new (class extends InMemoryDerivedBackend {
        #spoiled: DerivedMaintenance | undefined
        override get derivedMaintenance(): DerivedMaintenance {
          return (this.#spoiled ??= spoil(super.derivedMaintenance, this))
        }
      })(),
  }
}

/** Gives this answer where the verb refuses with that code. */
function instead<T>(code: 'NOT_FOUND' | 'NOT_A_FILE', answer: T): (error: unknown) => T {
  return (error) => {
    if (isSeamError(error, code)) return answer
    throw error
  }
}

function thawed(locator: Locator): Locator {
  return Object.create(Locator.prototype, {
    key: { value: locator.key, writable: true, enumerable: true },
    [Symbol.for('@agentm/storage-seam/locator')]: { value: true },
  }) as Locator
}

/** A digest over other bytes than UTF-8: the same for ASCII, which is why nobody notices. */
function latin1Hash(text: string): string {
  return createHash('sha256').update(Buffer.from(text, 'latin1')).digest('hex')
}
