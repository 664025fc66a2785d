/** Whether the sessions of coding agents on this machine are captured. No row where there are none. */
import { settings } from '@agentm/settings'
import type { WorkspaceReader } from '../workspace-reader.ts'
import type { HealthRow } from './health-row.ts'

export async function sessionRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const values = await reader.settings()
  const { sessions: stored } = await reader.storedSessions()
  if (stored.length === 0) return []
  const hosts = [...new Set(stored.map(({ host }) => host))].toSorted().join(', ')
  const files = `${stored.length} ${stored.length === 1 ? 'session' : 'sessions'} of ${hosts}`
  const shelf = await reader.sessions(await reader.owner())
  const [newest] = (await shelf?.list({ limit: 1 })) ?? []
  const isOn = values['capture.enabled'] ?? settings['capture.enabled'].default
  const byHooks = isOn ? '' : '. Hooks capture nothing, because capture.enabled is false'
  if (newest === undefined)
    return [
      {
        ...row('warn', `${files} on this machine, and none was captured${byHooks}`),
        help: [{ to: 'To capture them', command: 'agentm capture sessions' }],
      },
    ]
  const time = new Date(newest.endedAt).toISOString().slice(0, 16).replace('T', ' ')
  return [row(isOn ? 'ok' : 'warn', `${files} on this machine; the newest captured turn is of ${time} UTC${byHooks}.`)]
}

function row(status: 'ok' | 'warn', text: string) {
  return { name: 'sessions', status, text } as const
}
