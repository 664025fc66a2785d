/** What a call of a shell tool starts, once the policy allows it. */
import { ToolError } from '../../loop/tool-error.ts'
import { childEnvironment, usuallyAllowed } from '../../programs/pure/child-environment.ts'
import type { StartedProgram } from '../../programs/start-program.ts'
import { beforehand } from '../beforehand.ts'
import { confinedPath } from '../confined-path.ts'
import { absolutePlaces, isSecretName, mayRun } from '../pure/shell-policy.ts'
import { shell, type ShellToolOptions } from './shell-options.ts'

/** Either a program with its arguments or, if the policy allows it, a line for the shell. */
export type Wanted = { readonly directory: string } & (
  | { readonly program: string; readonly args: readonly string[] }
  | { readonly line: string }
)

export interface ShellProgram extends StartedProgram {
  /** How the program is called in an answer. */
  readonly name: string
}

export async function shellProgram(options: ShellToolOptions, wanted: Wanted, key: string): Promise<ShellProgram> {
  const program = await allowedProgram(options, wanted, key)
  return (await options.sandbox?.(program)) ?? program
}

async function allowedProgram(options: ShellToolOptions, wanted: Wanted, key: string): Promise<ShellProgram> {
  const environment = { ...environmentOf(options), AGENTM_IDEMPOTENCY_KEY: key }
  const directory = await beforehand(async () => confinedPath(options, wanted.directory))
  if ('line' in wanted) return { name: shell, command: wanted.line, args: [], interpret: true, environment, directory }
  const { program, args } = wanted
  const { allow } = options.policy
  if (!mayRun(allow, [program, ...args]))
    throw new ToolError('permission', `${program} is not allowed here. Allowed: ${allow.join(', ')}`)
  return { name: program, command: program, args, environment, directory }
}

const isWindows = process.platform === 'win32'

function environmentOf({ environment = process.env, policy, secrets }: ShellToolOptions): Record<string, string> {
  const named = [...usuallyAllowed, ...(policy.variables ?? [])].filter((name) => !isSecretName(name, secrets))
  const seen = childEnvironment(environment, named)
  const separator = isWindows ? ';' : ':'
  const usual = isWindows ? 'C:\\Windows\\System32;C:\\Windows' : '/usr/local/bin:/usr/bin:/bin'
  return { ...seen, PATH: absolutePlaces(seen['PATH'] ?? usual, separator) }
}
