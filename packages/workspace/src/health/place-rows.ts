/** Where everything is kept: the config file, the home directory, the log. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { agentmHome, configFile } from '@agentm/selection/reader'
import type { WorkspaceReader } from '../workspace-reader.ts'
import type { HealthRow } from './health-row.ts'
import { shellWord } from './pure/shell-word.ts'

export async function configRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const fault = await reader.settings().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (fault !== undefined) return [{ name: 'config', status: 'fail', text: fault }]
  return [{ name: 'config', status: 'ok', text: configFile(reader.routing.selection) }]
}

/** `log` is left out if it cannot be read. */
export async function placeRows({ routing }: WorkspaceReader, log?: string): Promise<readonly HealthRow[]> {
  const home = agentmHome(routing.selection)
  if (log === undefined) return [await privateRow('home', home)]
  // A private home also protects a log inside it.
  const isInside = log.startsWith(path.join(home, path.sep))
  return [
    await privateRow('home', home),
    isInside ? { name: 'log', status: 'ok', text: log } : await privateRow('log', log),
  ]
}

/** agentm does not change the permissions of existing files; it warns when other users can read them. */
async function privateRow(name: string, place: string): Promise<HealthRow> {
  const found = await stat(place).catch(() => undefined)
  if (found === undefined || process.platform === 'win32' || (found.mode & 0o077) === 0)
    return { name, status: 'ok', text: place }
  const command = `chmod ${found.isDirectory() ? '700' : '600'} ${shellWord(place)}`
  const help = [{ to: 'To make it private', command }]
  return { name, status: 'warn', text: `${place} can be read by other users of this machine`, help }
}
