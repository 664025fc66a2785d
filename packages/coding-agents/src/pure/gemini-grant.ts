/**
 * Permissions of Gemini CLI: a policy file of the highest tier, which the policies of the user and of the project cannot override. In a
 * run without a terminal, it refuses what it would otherwise ask a person.
 */
import { type ClientGrant, nothingGranted } from './client-grant.ts'
import { type ClientPolicy, wordsOf } from './client-policy.ts'

export function geminiGrant({ files, shell, hosts }: ClientPolicy): ClientGrant {
  const rules = [
    rule({ toolName: '*', decision: 'deny', priority: 1 }),
    rule({ toolName: ['write_todos', ...filesOf[files]], decision: 'allow', priority: 100 }),
    ...shellRules(shell),
  ]
  return {
    ...nothingGranted,
    args: ['--skip-trust', '--allowed-mcp-server-names', 'none', '--extensions', 'none'],
    files: { '--admin-policy': rules.join('\n'), $GEMINI_CLI_SYSTEM_SETTINGS_PATH: JSON.stringify(settings) },
    withheld: hosts.length > 0 ? ['pages of tools.http.hosts: Gemini CLI cannot be limited to some hosts'] : [],
  }
}

const reading = ['read_file', 'list_directory', 'glob', 'grep_search']
const filesOf: Readonly<Record<ClientPolicy['files'], readonly string[]>> = {
  off: [],
  read: reading,
  write: [...reading, 'replace', 'write_file'],
}

/** Hooks are programs that the settings of the project could name. */
const settings = {
  hooksConfig: { enabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
}

function shellRules(shell: ClientPolicy['shell']): readonly string[] {
  const allow = { toolName: 'run_shell_command', decision: 'allow', priority: 100 }
  if (shell === 'any') return [rule({ ...allow, allowRedirection: true })]
  const commands = shell.map((entry) => wordsOf(entry).join(' '))
  return commands.length === 0 ? [] : [rule({ ...allow, commandPrefix: commands })]
}

/** A rule in TOML, whose texts and lists are written as in JSON. */
function rule(fields: Readonly<Record<string, unknown>>): string {
  return ['[[rule]]', ...Object.entries(fields).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ''].join(
    '\n',
  )
}
