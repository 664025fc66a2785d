/** Step kinds that plugins add, and step kinds that the config allows but that do not exist. */
import type { WorkspaceReader } from '../workspace-reader.ts'
import type { HealthRow } from './health-row.ts'
import { allowKinds } from './pure/what-helps.ts'

/** If the config as a whole is wrong, the storage line says so. */
export async function kindRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const policy = await reader.policy().catch(() => undefined)
  if (policy === undefined) return []
  try {
    const { builtIn, plugins, unknown } = await reader.probeKinds()
    return [
      ...unknownRows(unknown, policy.kinds, builtIn),
      ...plugins.map(({ kind, from, isAllowed }): HealthRow =>
        isAllowed
          ? { name: 'steps', status: 'ok', text: `${kind}, from the plugin ${from}` }
          : {
              name: 'steps',
              status: 'warn',
              text: `${kind}, from the plugin ${from}, is not allowed`,
              help: [{ to: 'To allow it', command: allowKinds([...policy.kinds, kind]) }],
            },
      ),
    ]
  } catch (error) {
    return [{ name: 'steps', status: 'fail', text: error instanceof Error ? error.message : String(error) }]
  }
}

function unknownRows(
  unknown: readonly string[],
  allowed: readonly string[],
  builtIn: readonly string[],
): readonly HealthRow[] {
  if (unknown.length === 0) return []
  const known = allowed.filter((kind) => !unknown.includes(kind))
  const cure = allowKinds(known.length === 0 ? ['agent', 'approval'] : known)
  const text = `harness.kinds names ${unknown.join(', ')}, which does not exist, so no worker can start`
  const to = `Choose from ${builtIn.join(', ')}, or install a plugin that adds the kind`
  return [{ name: 'steps', status: 'fail', text, help: [{ to, command: cure }] }]
}
