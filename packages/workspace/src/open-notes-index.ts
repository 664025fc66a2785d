/** The index of notes, in a file of this device. It is derived, and made again from the notes whenever it is absent. */
import type { ByteTables } from '@agentm/nodes/store-kit'
import type { NodesPlace } from './nodes-place.ts'

export async function openNotesIndex(
  { notesFile }: Pick<NodesPlace, 'notesFile'>,
  options: { readonly readOnly?: boolean } = {},
): Promise<ByteTables> {
  const { openSqliteTables } = await import('@agentm/nodes-sqlite/tables')
  return openSqliteTables({ path: notesFile, ...options })
}
