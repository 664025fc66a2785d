/** The files of a folder whose names fit, in order. Links are not followed, because they can lead out of the folder. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'

export interface FilesBelow {
  /** Seen from the folder, with `/`. */
  readonly files: readonly string[]
  /** Links that were not followed. */
  readonly links: readonly string[]
}

/** Never somebody's notes: machinery of programs, and packages of others. */
const ofPrograms: ReadonlySet<string> = new Set(['node_modules', 'vendor', 'dist', 'build', 'target', '__pycache__'])

export interface FilesWanted {
  readonly isWanted: (path: string) => boolean
  /** Folders beginning with a dot that are entered (default: none). */
  readonly hidden?: readonly string[]
  /** Folders of this name are not entered (default: those of programs, such as `node_modules`). */
  readonly without?: ReadonlySet<string>
}

export async function filesBelow(
  folder: string,
  { isWanted, hidden = [], without = ofPrograms }: FilesWanted,
): Promise<FilesBelow> {
  const files: string[] = []
  const links: string[] = []
  const look = async (below: string): Promise<void> => {
    const entries = await readdir(path.join(folder, below), { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const at = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) {
        if (!without.has(entry.name) && (!entry.name.startsWith('.') || hidden.includes(entry.name))) await look(at)
      } else if (!isWanted(at)) continue
      else if (entry.isFile()) files.push(at)
      else if (entry.isSymbolicLink()) links.push(at)
    }
  }
  await look('')
  return { files, links }
}
