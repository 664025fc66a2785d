/** How a host on this machine starts the server: the installed command where there is one, else npx, which fetches it. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import path from 'node:path'
import type { HostWorld, McpHost } from './mcp-hosts.ts'

export async function startCommand(world: HostWorld, { scope }: McpHost): Promise<readonly [string, ...string[]]> {
  const installed = await findInstalled(world)
  // A file that others share names no place of this machine; a program with windows often has another PATH than a shell.
  const command = scope === 'project' || installed === undefined ? 'agentm' : installed
  const words = installed === undefined ? (['npx', '-y', '@agentm/cli', 'mcp'] as const) : ([command, 'mcp'] as const)
  // Windows starts a script, as both are there, through its shell only, and few hosts ask it to.
  return world.platform === 'win32' && scope === 'user' ? ['cmd', '/c', ...words] : words
}

/** On the PATH, and there to stay: what npx and npm scripts put in front of it is gone when they end. */
async function findInstalled({ env, platform }: HostWorld): Promise<string | undefined> {
  const name = platform === 'win32' ? 'agentm.cmd' : 'agentm'
  for (const directory of (env['PATH'] ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(directory) || /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(directory)) continue
    const file = path.join(directory, name)
    if (await isCommand(file)) return file
  }
  return undefined
}

async function isCommand(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}
