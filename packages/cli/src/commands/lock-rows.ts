/** Which lock a write takes here, compared with the one that other writers of the store take. */
import { findStoreRoot } from '@agentm/selection'
import { type LockStanding, lockStanding } from '@agentm/vault-lock'
import type { WorkspaceReader } from '@agentm/workspace/reader'

interface Row {
  readonly name: 'lock'
  readonly status: 'ok' | 'warn' | 'fail'
  readonly text: string
}

export async function lockRows({ routing }: WorkspaceReader): Promise<Row[]> {
  const root = await findStoreRoot({ world: routing.selection }).catch(() => undefined)
  return root === undefined ? [] : [{ name: 'lock', ...described(await lockStanding(root)) }]
}

function described(standing: LockStanding): Omit<Row, 'name'> {
  const { own } = standing
  if (standing.kind === 'own') return { status: 'ok', text: own }
  const { recorded, file } = standing
  if (standing.kind === 'both')
    return { status: 'ok', text: `${own}, and ${recorded}, which other writers take (says ${file})` }
  const others =
    recorded === '' ? `${file} is damaged` : `other writers take ${recorded} (${standing.by}, says ${file})`
  if (standing.isGivenUp)
    return {
      status: 'warn',
      text: `${own}. Until a while ago ${others}; the next write here replaces what that file says.`,
    }
  return {
    status: 'fail',
    text: `${own}, but ${others}, and ${standing.why}. Let this process reach that lock, or wait until it was not used for a minute: until then no write is possible here.`,
  }
}
