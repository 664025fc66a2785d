/**
 * Files that another program replicates and people edit. On top of the lock and the last-moment check that every
 * directory has, a vault can be away (a drive not mounted, a sync folder moved), can hold stand-ins for files that are
 * only in the cloud, and can hold copies that a sync program made of one file.
 */
import { Capabilities, type Locator } from '@agentm/storage-seam'
import { DirectoryBackend, type DirectoryOptions, type FilePath } from '@agentm/vault-lock'
import { type ConflictCopy, conflictCopy } from './pure/conflict-copy.ts'
import { standIns } from './pure/stand-in.ts'

export interface ConflictPair extends ConflictCopy {
  readonly copy: Locator
  readonly of: Locator
}

export class VaultBackend extends DirectoryBackend {
  override readonly capabilities = new Capabilities({
    concurrentWriters: true,
    conflictFiles: true,
    sync: true,
    conditionalWrite: true,
    removal: true,
  })

  constructor(root: FilePath, options: Omit<DirectoryOptions, 'standIns' | 'parentMustExist'> = {}) {
    super(root, { ...options, standIns, parentMustExist: true })
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
}
