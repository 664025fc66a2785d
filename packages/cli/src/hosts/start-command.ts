/** How a host on this machine starts us: with the installed command if there is one, else with npx. */
import { installedCommand } from '../installed-command.ts'
import type { HostWorld } from './hosts.ts'

export type Words = readonly [string, ...string[]]

/** `project`: in a file of the checkout, which others share. `user`: in this person's own. */
export type Scope = 'project' | 'user'

/** What starts the MCP server. */
export function startCommand(world: HostWorld, scope: Scope): Words {
  const installed = installedCommand(world)
  // A file that others share names no place on this machine. A program with windows often has another PATH than a shell, so it gets the whole path.
  const command = scope === 'project' || installed === undefined ? 'agentm' : installed
  const words: Words = installed === undefined ? [...npx, 'mcp'] : [command, 'mcp']
  // On Windows both are scripts, which only its shell can start.
  return world.platform === 'win32' && scope === 'user' ? ['cmd', '/c', ...words] : words
}

/** The words before `hook`: a hook is started by a shell, which knows the PATH of the person. */
export function hookCommand(world: HostWorld): Words {
  return installedCommand(world) === undefined ? npx : ['agentm']
}

/** Every command that we write anywhere, with and without an installation. The directory of an installed command is left out. */
export const allStartCommands: readonly Words[] = [
  ['agentm', 'mcp'],
  ['npx', '-y', '@agentm/cli', 'mcp'],
  ['cmd', '/c', 'agentm', 'mcp'],
  ['cmd', '/c', 'npx', '-y', '@agentm/cli', 'mcp'],
]

export const allHookCommands: readonly Words[] = [['agentm'], ['npx', '-y', '@agentm/cli']]

const npx: Words = ['npx', '-y', '@agentm/cli']
