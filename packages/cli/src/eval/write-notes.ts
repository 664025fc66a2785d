/** Writes labelled notes as the files of a store of their own. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { formatNote } from '@agentm/memory/notes'
import { storeMarkerKey } from '@agentm/storage-seam'
import type { LabelledNote } from './labelled-set.ts'

// If nothing says when a note was written, all were written together.
const someDay = '2024-01-01T00:00:00.000Z'
const home = ['personal', 'notes'] as const

/** Answers the id of each note by its key. */
export async function writeNotes(
  corpus: readonly LabelledNote[],
  { root, storeId }: { readonly root: string; readonly storeId: string },
): Promise<ReadonlyMap<string, string>> {
  const marker = path.join(root, ...storeMarkerKey.split('/'))
  await mkdir(path.join(root, ...home), { recursive: true })
  await mkdir(path.dirname(marker), { recursive: true })
  await writeFile(marker, JSON.stringify({ id: storeId }))
  const ids = new Map<string, string>()
  for (const [i, { id, title, text, at = someDay, file }] of corpus.entries()) {
    if (file !== undefined) {
      const target = path.join(root, ...file.path.split('/'))
      await mkdir(path.dirname(target), { recursive: true })
      await writeFile(target, file.text)
      ids.set(file.path, id)
      continue
    }
    // The id of a note can have characters that a file name cannot.
    const slug = `note-${i + 1}`
    const note = { kind: 'note', created: at, tags: [], group: 'personal', slug, more: { title }, text } as const
    await writeFile(path.join(root, ...home, `${slug}.md`), formatNote(note))
    ids.set([...home, `${slug}.md`].join('/'), id)
  }
  return ids
}
