/** For `doctor`: kinds of steps that the config names and nobody knows. */
import { allowedKinds, stepKindNames } from '@agentm/workspace'

export interface KindRow {
  readonly name: 'steps'
  readonly status: 'fail'
  readonly text: string
}

/** What is wrong with the config as a whole is said by the storage line. */
export async function kindRows(): Promise<readonly KindRow[]> {
  const allowed = await allowedKinds().catch(() => undefined)
  if (allowed === undefined) return []
  const unknown = allowed.filter((kind) => !stepKindNames.includes(kind))
  if (unknown.length === 0) return []
  const known = allowed.filter((kind) => stepKindNames.includes(kind)).join(',') || 'agent,approval'
  const text = `harness.kinds names ${unknown.join(', ')}, and no worker starts with that. There are ${stepKindNames.join(', ')} — agentm config set harness.kinds ${known}`
  return [{ name: 'steps', status: 'fail', text }]
}
