/** The selected store, and notes in it that are ignored. The text is that of the refusal itself. */
import { findStoreRoot, previewStorage } from '@agentm/selection'
import { Locator } from '@agentm/storage-seam'
import { unusableNames } from '@agentm/vault-lock'
import type { WorkspaceReader } from '../workspace-reader.ts'
import type { HealthRow } from './health-row.ts'

export async function storageRows({ routing }: WorkspaceReader): Promise<readonly HealthRow[]> {
  const { status, text } = await previewStorage({ world: routing.selection })
  return [{ name: 'storage', status, text }]
}

/** Notes and directories that every command ignores, because of their names. */
export async function nameRows({ routing }: WorkspaceReader): Promise<readonly HealthRow[]> {
  const root = await findStoreRoot({ world: routing.selection }).catch(() => undefined)
  if (root === undefined) return []
  const skipped = await unusableNames(root, new Locator(''), { enter: (name) => !name.startsWith('.') })
  return skipped
    .filter(({ name }) => !name.startsWith('.'))
    .map(({ in: directory, name, why }) => ({
      name: 'name',
      status: 'warn' as const,
      text: `${JSON.stringify([directory.key, name].filter((part) => part !== '').join('/'))} is ignored: ${why}. Rename it.`,
    }))
}
