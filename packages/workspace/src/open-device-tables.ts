/** Tables of this device, in a file of their own: the index of notes, and the vectors that an embedder made. All can be made again. */
import type { ByteTables } from '@agentm/nodes/store-kit'
import type { FilePath } from '@agentm/vault-lock'

export async function openDeviceTables(
  path: FilePath,
  options: { readonly readOnly?: boolean } = {},
): Promise<ByteTables> {
  const { openSqliteTables } = await import('@agentm/nodes-sqlite/tables')
  return openSqliteTables({ path, ...options })
}
