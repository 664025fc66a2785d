/** Checks an installation and changes nothing. `agentm doctor` prints what is found; the page of `agentm view` shows it. */
import type { WorkspaceReader } from '../workspace-reader.ts'
import { agentRows } from './agent-rows.ts'
import { damagedRows } from './damaged-rows.ts'
import type { HealthRow } from './health-row.ts'
import { kindRows } from './kind-rows.ts'
import { lockRows } from './lock-rows.ts'
import { configRows, placeRows } from './place-rows.ts'
import { projectRows } from './project-rows.ts'
import { scheduleRows } from './schedule-rows.ts'
import { sessionRows } from './session-rows.ts'
import { nameRows, storageRows } from './storage-rows.ts'
import { stuckRows } from './stuck-rows.ts'
import { sandboxRows, treeRows } from './tree-rows.ts'

/** Checks that take a moment and start nothing: they read the config, the store and the newest rows of the log. */
export async function quickCheckUp(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const store = [...(await storageRows(reader)), ...(await lockRows(reader))]
  const config = await configRows(reader)
  if (isBroken(config)) return [...store, ...config, ...(await placeRows(reader))]
  return [...store, ...config, ...(await logRows(reader, await stuckRows(reader)))]
}

/**
 * The other checks: they read every page of the log and every name in the store, ask the configured model for its list of models, and start
 * and stop the configured MCP servers. Nothing is checked that an unusable config decides.
 */
export async function slowCheckUp(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const names = await nameRows(reader)
  if (isBroken(await configRows(reader))) return names
  const [damaged, agents, kinds, sandbox] = [
    await damagedRows(reader),
    await agentRows(reader),
    await kindRows(reader),
    await sandboxRows(reader),
  ]
  return [...names, ...damaged, ...agents, ...kinds, ...sandbox]
}

/** All checks, in the order in which a person reads them. */
export async function wholeCheckUp(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const store = [...(await storageRows(reader)), ...(await lockRows(reader)), ...(await nameRows(reader))]
  const config = await configRows(reader)
  if (isBroken(config)) return [...store, ...config, ...(await placeRows(reader))]
  const damaged = await damagedRows(reader)
  // The plans of a damaged log are not checked.
  const stuck = damaged.length > 0 ? [] : await stuckRows(reader)
  const agents = [...(await agentRows(reader)), ...(await kindRows(reader))]
  const log = await logRows(reader, [...damaged, ...stuck], agents)
  return [...store, ...config, ...log, ...(await sandboxRows(reader))]
}

/** `found` is what the checks of the log and of its plans have found. Nothing else is asked of a log that cannot be read. */
async function logRows(
  reader: WorkspaceReader,
  found: readonly HealthRow[],
  agents: readonly HealthRow[] = [],
): Promise<readonly HealthRow[]> {
  const isRead = found.every(({ name }) => name !== 'log')
  const log = isRead ? await reader.logPlace() : undefined
  return [
    ...(await placeRows(reader, log)),
    ...found.filter(({ name }) => name === 'log'),
    ...(await projectRows(reader)),
    ...agents,
    ...found.filter(({ name }) => name !== 'log'),
    ...(isRead ? [...(await scheduleRows(reader)), ...(await treeRows(reader)), ...(await sessionRows(reader))] : []),
  ]
}

function isBroken(config: readonly HealthRow[]): boolean {
  return config.some(({ status }) => status === 'fail')
}
