/** The lock that a write takes here, compared with the lock that other writers of the store take. */
import { findStoreRoot } from '@agentm/selection'
import { type LockStanding, lockStanding } from '@agentm/vault-lock'
import type { WorkspaceReader } from '../workspace-reader.ts'
import type { HealthRow } from './health-row.ts'

export async function lockRows({ routing }: WorkspaceReader): Promise<readonly HealthRow[]> {
  const root = await findStoreRoot({ world: routing.selection }).catch(() => undefined)
  return root === undefined ? [] : [{ name: 'lock', ...described(await lockStanding(root)) }]
}

function described(standing: LockStanding): Omit<HealthRow, 'name'> {
  const { own } = standing
  if (standing.kind === 'own') return { status: 'ok', text: own }
  const { recorded, file } = standing
  if (standing.kind === 'both')
    return { status: 'ok', text: `${own}, and also ${recorded}, which other writers use (according to ${file})` }
  const others =
    recorded === '' ? `${file} is damaged` : `other writers use ${recorded} (${standing.by}, according to ${file})`
  if (standing.isGivenUp)
    return {
      status: 'warn',
      text: `${own}. Some time ago ${others}; the next write here updates that file.`,
    }
  return {
    status: 'fail',
    text: `${own}, but ${others}, and ${standing.why}. No write is possible here until this process can use that lock, or until nobody has used it for a minute.`,
  }
}
