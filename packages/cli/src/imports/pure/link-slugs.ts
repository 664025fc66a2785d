/** The file name of the note for each file of a folder, by every name that a link may use: its path, its name, its title. */
import { slugFor } from '@agentm/memory/notes'
import { stemOf } from './markdown-entry.ts'

export interface LinkedFile {
  readonly path: string
  /** Other names, such as the title and the permalink. */
  readonly names?: readonly string[]
}

export function linkSlugs(files: readonly LinkedFile[]): ReadonlyMap<string, string> {
  const slugs = new Map<string, string>()
  const taken = new Set<string>()
  for (const { path, names = [] } of files) {
    const [short, long] = [slugFor(stemOf(path)), slugFor(path.replace(/\.[a-z]+$/i, '').replaceAll('/', ' '))]
    const slug = taken.has(short) ? long : short
    taken.add(slug)
    for (const name of [path, stemOf(path), ...names]) {
      const key = name.toLowerCase()
      // The first file of a name has it, as in Obsidian.
      if (!slugs.has(key)) slugs.set(key, slug)
    }
  }
  return slugs
}
