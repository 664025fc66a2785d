/** The directories of the last walk, each with the revision of its listing, and the results of the last two walks. */
import type { NoteScan } from './scan-notes.ts'
import type { SortedDirectory } from './sorted-directory.ts'

export class KnownWalks {
  #directories: ReadonlyMap<string, SortedDirectory> = new Map()
  #scans: readonly { readonly directories: ReadonlySet<SortedDirectory>; readonly scan: NoteScan }[] = []

  /** How a directory was sorted before, if its listing still has that revision. */
  find(key: string, { revision, scope }: Pick<SortedDirectory, 'revision' | 'scope'>): SortedDirectory | undefined {
    const known = this.#directories.get(key)
    return revision !== undefined && known?.revision === revision && known.scope === scope ? known : undefined
  }

  /** The result of a walk over all these directories. A walk that met the same directories as an earlier one has the same result. */
  scanOf(sorted: readonly SortedDirectory[], made: () => NoteScan): NoteScan {
    const directories = new Set(sorted)
    const before = this.#scans.find((each) => isSame(each.directories, directories))
    const scan = before?.scan ?? made()
    this.#scans = [{ directories, scan }, ...this.#scans.filter((each) => each !== before).slice(0, 1)]
    this.#directories = new Map(sorted.map((directory) => [directory.key, directory]))
    return scan
  }
}

function isSame(before: ReadonlySet<SortedDirectory>, now: ReadonlySet<SortedDirectory>): boolean {
  return before.size === now.size && [...now].every((each) => before.has(each))
}
