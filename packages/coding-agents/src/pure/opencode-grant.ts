/**
 * Permissions of opencode, in the variable whose configuration comes last and therefore wins over that of the project. What a rule
 * would ask a person is refused in a run without a terminal.
 */
import { type ClientGrant, nothingGranted } from './client-grant.ts'
import type { ClientPolicy } from './client-policy.ts'

export function opencodeGrant({ files, shell, hosts }: ClientPolicy): ClientGrant {
  const allowed = [...filesOf[files], 'todowrite', 'todoread', ...(shell === 'any' ? ['bash'] : [])]
  // The last rule that fits decides. Nothing outside the directory is read or written by its file tools.
  const permission = {
    '*': 'deny',
    ...Object.fromEntries(allowed.map((tool) => [tool, 'allow'])),
    external_directory: shell === 'any' && files === 'write' ? 'allow' : 'deny',
  }
  // An agent that the project defines could have rules of its own, which would win over the general ones.
  const config = { permission, agent: { build: { permission } }, share: 'disabled', autoupdate: false }
  return {
    ...nothingGranted,
    // Plugins are programs that the project could name.
    args: ['--pure', '--agent', 'build'],
    environment: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config), OPENCODE_DISABLE_AUTOUPDATE: '1' },
    withheld: [
      ...(shell !== 'any' && shell.length > 0
        ? ['programs: in opencode, the output of an allowed program can be written to any file']
        : []),
      ...(hosts.length > 0 ? ['pages of tools.http.hosts: opencode follows redirects to other hosts'] : []),
    ],
  }
}

const reading = ['read', 'glob', 'grep', 'list']
const filesOf: Readonly<Record<ClientPolicy['files'], readonly string[]>> = {
  off: [],
  read: reading,
  write: [...reading, 'edit'],
}
