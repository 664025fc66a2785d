/** Whether a file or folder is in a store of notes, where every Markdown file is a note already. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { storeMarkerKey } from '@agentm/storage-seam'

export async function isInStore(file: string): Promise<boolean> {
  for (let at = file; ; at = path.dirname(at)) {
    if (await isThere(path.join(at, storeMarkerKey))) return true
    if (at === path.dirname(at)) return false
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}
