/** For `doctor`: kinds of steps that the config names and nobody knows. */
import { stepKindNames } from '@agentm/workspace'
import type { WorkspaceReader } from '@agentm/workspace/reader'

export interface KindRow {
  readonly name: 'steps'
  readonly status: 'fail'
  readonly text: string
}

/** What is wrong with the config as a whole is said by the storage line. */
export async function kindRows(reader: WorkspaceReader): Promise<readonly KindRow[]> {
  const policy = await reader.policy().catch(() => undefined)
  if (policy === undefined) return []
  const allowed = policy.kinds
  const names: readonly string[] = stepKindNames
  const unknown = allowed.filter((kind) => !names.includes(kind))
  if (unknown.length === 0) return []
  const known = allowed.filter((kind) => names.includes(kind)).join(',') || 'agent,approval'
  const text = `harness.kinds names ${unknown.join(', ')}, and no worker starts with that. There are ${stepKindNames.join(', ')} — agentm config set harness.kinds ${known}`
  return [{ name: 'steps', status: 'fail', text }]
}
