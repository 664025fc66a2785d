/** How a host on this machine starts the server: with the installed command if there is one, else with npx. */
import { installedCommand } from '../installed-command.ts'
import type { HostWorld, McpHost } from './mcp-hosts.ts'

export function startCommand(world: HostWorld, { scope }: McpHost): readonly [string, ...string[]] {
  const installed = installedCommand(world)
  // A file that others share names no place on this machine. A program with windows often has another PATH than a shell, so it gets the whole path.
  const command = scope === 'project' || installed === undefined ? 'agentm' : installed
  const words = installed === undefined ? (['npx', '-y', '@agentm/cli', 'mcp'] as const) : ([command, 'mcp'] as const)
  // On Windows both are scripts, which only its shell can start.
  return world.platform === 'win32' && scope === 'user' ? ['cmd', '/c', ...words] : words
}
