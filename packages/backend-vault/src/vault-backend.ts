/**
 * Files that a sync program replicates and people edit. In addition to the lock and the last check of every directory backend, a vault
 * handles three cases: it can be unavailable (a drive not mounted, a sync folder moved), it can contain placeholders for files that are
 * only in the cloud, and it can contain conflict copies.
 */
import {
  asLocator,
  Capabilities,
  type ConflictCopy,
  conflictCopy,
  type Locator,
  type PersonalGrant,
  storeMarkerKey,
} from '@agentm/storage-seam'
import { DirectoryBackend, type DirectoryOptions, type FilePath, givenPath, nodeRuntime } from '@agentm/vault-lock'
import { redeem } from './personal-grants.ts'
import { openPersonalSpace } from './personal-space.ts'
import { standIns } from './pure/stand-in.ts'

/** A conflict copy and the file it is a copy of. */
export interface ConflictPair extends ConflictCopy {
  readonly copy: Locator
  readonly of: Locator
}

/** Options of a vault backend. */
export interface VaultOptions extends Omit<DirectoryOptions, 'standIns' | 'parentMustExist' | 'lockFor' | 'exclude'> {
  /** The vault around the store, where the person's own notes are. Without it, personal writes are not possible. */
  readonly personalRoot?: FilePath
}

/**
 * Files that a sync program replicates and people edit, such as an Obsidian vault. Throws when the vault is not mounted, and finds the
 * conflict copies that sync programs make.
 *
 * @example
 * ```ts
 * import { VaultBackend } from '@agentm/backend-vault'
 * import { mkdtemp, writeFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const root = await mkdtemp(path.join(tmpdir(), 'vault-'))
 * await writeFile(path.join(root, 'note.md'), 'mine')
 * await writeFile(path.join(root, 'note (conflicted copy 2026-11-02).md'), 'theirs')
 * const vault = new VaultBackend(root)
 * for (const { copy, of } of await vault.conflictsIn(vault.resolve())) console.log(`${copy.key} -> ${of.key}`) // note (conflicted copy 2026-11-02).md -> note.md
 * ```
 */
export class VaultBackend extends DirectoryBackend {
  override readonly capabilities: Capabilities
  readonly #root: FilePath
  readonly #options: VaultOptions

  constructor(root: string, options: VaultOptions = {}) {
    super(root, { ...options, standIns, parentMustExist: true })
    this.#root = givenPath(root)
    this.#options = options
    this.capabilities = new Capabilities({
      concurrentWriters: true,
      conflictFiles: true,
      sync: true,
      conditionalWrite: true,
      removal: true,
      personalWrite: options.personalRoot !== undefined,
    })
  }

  override get conflictStrategy(): 'whole-file' {
    return 'whole-file'
  }

  /** The conflict copies directly in one directory. */
  async conflictsIn(directory: Locator): Promise<ConflictPair[]> {
    const children = await this.list(directory)
    const names = new Set(children.map(({ name }) => name))
    return children.flatMap((copy) => {
      const found = conflictCopy(copy.name, names)
      return found === undefined ? [] : [{ ...found, copy, of: directory.child(found.original) }]
    })
  }

  /** Writes only if the current text is the one that the person saw. `at` is relative to the personal root. */
  override async personalWrite(at: Locator, text: string, grant: PersonalGrant): Promise<Locator> {
    const { personalRoot, runtime = nodeRuntime } = this.#options
    if (personalRoot === undefined) return super.personalWrite(at, text, grant)
    const place = asLocator(at)
    redeem(grant, place, text, runtime.now())
    // Throws if the vault is unavailable, before a file is created at its mount point.
    await this.exists(this.resolve(storeMarkerKey))
    const space = await openPersonalSpace(personalRoot, this.#root, this.#options)
    return space.write(place, text, { ifHash: grant.replaces })
  }
}
