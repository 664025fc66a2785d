/** What a coding agent may do: the policy of the user, and what a step makes narrower. A step cannot make it wider. */
import type { CodingAgentInput } from '../coding-agent-input.ts'

/** What the user allows: the settings `tools.files`, `tools.shell.*` and `tools.http.hosts`. */
export interface ClientPolicy {
  readonly files: 'off' | 'read' | 'write'
  /** `any` program, or those of a list: a program, or a program with its first arguments. */
  readonly shell: 'any' | readonly string[]
  /** The hosts that pages may be fetched from. */
  readonly hosts: readonly string[]
}

/** The policy of one step, or why the step is refused. */
export function narrowed(
  policy: ClientPolicy,
  asked: CodingAgentInput['permissions'] = {},
): { readonly policy: ClientPolicy } | { readonly refused: string } {
  const { files = policy.files, shell = policy.shell, hosts = policy.hosts } = asked
  if (levels.indexOf(files) > levels.indexOf(policy.files))
    return { refused: wider(`files: ${files}`, `tools.files is ${policy.files}`) }
  const { shell: allowed } = policy
  const program = allowed === 'any' || shell === 'any' ? undefined : shell.find((entry) => !isCovered(entry, allowed))
  if (program !== undefined) return { refused: wider(`shell: ${program}`, `tools.shell.allow does not allow it`) }
  const host = hosts.find((entry) => !policy.hosts.includes(entry))
  if (host !== undefined) return { refused: wider(`hosts: ${host}`, `tools.http.hosts does not name it`) }
  return { policy: { files, shell: shell !== 'any' && shell.includes('*') ? 'any' : shell, hosts } }
}

const levels: readonly ClientPolicy['files'][] = ['off', 'read', 'write']

/** An entry allows itself, and itself with further arguments. */
function isCovered(entry: string, allowed: readonly string[]): boolean {
  const words = wordsOf(entry)
  return allowed.some((other) => wordsOf(other).every((word, i) => words[i] === word))
}

export function wordsOf(entry: string): readonly string[] {
  return entry.trim().split(/\s+/)
}

function wider(asked: string, why: string): string {
  return `its permissions ask for ${asked}, and ${why}. A step can only take away what the configuration allows`
}
