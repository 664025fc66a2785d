/**
 * Permissions of Claude Code. `--restricted` keeps its file tools in the directory and ignores settings files, whose rules could allow
 * more; `dontAsk` refuses whatever is not allowed here.
 */
import { type ClientGrant, nothingGranted } from './client-grant.ts'
import { type ClientPolicy, wordsOf } from './client-policy.ts'

export function claudeCodeGrant(policy: ClientPolicy): ClientGrant {
  const { shell, withheld } = shellOf(policy)
  const { hosts, left } = hostsOf(policy)
  const files = filesOf[policy.files]
  const tools = [...files, ...(shell.length > 0 ? ['Bash'] : []), ...(hosts.length > 0 ? ['WebFetch'] : [])]
  const allowed = [...files, ...shell, ...hosts]
  return {
    ...nothingGranted,
    args: [
      '--restricted',
      '--strict-mcp-config',
      '--permission-mode',
      'dontAsk',
      '--tools',
      tools.join(','),
      ...(allowed.length > 0 ? ['--allowedTools', ...allowed] : []),
    ],
    withheld: [...withheld, ...left],
  }
}

const reading = ['Read', 'Glob', 'Grep']
const filesOf: Readonly<Record<ClientPolicy['files'], readonly string[]>> = {
  off: [],
  read: reading,
  write: [...reading, 'Edit', 'Write', 'NotebookEdit'],
}

function shellOf({ shell, files }: ClientPolicy): {
  readonly shell: readonly string[]
  readonly withheld: readonly string[]
} {
  if (shell === 'any') return { shell: ['Bash'], withheld: [] }
  const entries = shell.filter(isPlain)
  const others = shell
    .filter((entry) => !isPlain(entry))
    .map((entry) => `the program ${entry}: a rule cannot express it`)
  // It runs commands that only read, such as `cat`, without asking as soon as it has a shell.
  if (files === 'off' && shell.length > 0)
    return { shell: [], withheld: ['programs: with any of them, Claude Code could also read files'] }
  return { shell: entries.map((entry) => `Bash(${wordsOf(entry).join(' ')}:*)`), withheld: others }
}

/** In a rule, these characters have a meaning of their own. */
function isPlain(entry: string): boolean {
  return !/[()*:,]/.test(entry)
}

function hostsOf({ hosts }: ClientPolicy): { readonly hosts: readonly string[]; readonly left: readonly string[] } {
  return {
    hosts: hosts.filter(isName).map((host) => `WebFetch(domain:${host})`),
    left: hosts.filter((host) => !isName(host)).map((host) => `the host ${host}: a rule cannot express it`),
  }
}

function isName(host: string): boolean {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(host)
}
