/** For `doctor`: kinds of steps that plugins bring, and kinds that the config names and nobody brings. */
import type { WorkspaceReader } from '@agentm/workspace/reader'
import { allowKinds } from './plan/pure/what-helps.ts'

export interface KindRow {
  readonly name: 'steps'
  readonly status: 'ok' | 'warn' | 'fail'
  readonly text: string
}

/** What is wrong with the config as a whole is said by the storage line. */
export async function kindRows(reader: WorkspaceReader): Promise<readonly KindRow[]> {
  const policy = await reader.policy().catch(() => undefined)
  if (policy === undefined) return []
  try {
    const { builtIn, plugins, unknown } = await reader.probeKinds()
    return [
      ...unknownRows(unknown, policy.kinds, builtIn),
      ...plugins.map(({ kind, from, isAllowed }): KindRow =>
        isAllowed
          ? { name: 'steps', status: 'ok', text: `${kind}, from the plugin ${from}` }
          : {
              name: 'steps',
              status: 'warn',
              text: `${kind}, from the plugin ${from}, is not allowed — ${allowKinds([...policy.kinds, kind])}`,
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
): readonly KindRow[] {
  if (unknown.length === 0) return []
  const known = allowed.filter((kind) => !unknown.includes(kind))
  const cure = allowKinds(known.length === 0 ? ['agent', 'approval'] : known)
  const text = `harness.kinds names ${unknown.join(', ')}, and no worker starts with that. There are ${builtIn.join(', ')}, and no installed plugin brings more — ${cure}`
  return [{ name: 'steps', status: 'fail', text }]
}
