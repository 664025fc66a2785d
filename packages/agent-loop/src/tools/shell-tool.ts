/**
 * Runs programs in the working directory. The user's configuration decides which. The command is not passed to a shell, unless that
 * is allowed, too. A program sees no key and no password of agentm.
 */
import { z } from 'zod'
import { defineTool, type Tool, type ToolAnswer } from '../loop/tool.ts'
import { ToolError } from '../loop/tool-error.ts'
import { childEnvironment, usuallyAllowed } from '../programs/pure/child-environment.ts'
import { type ProgramEnd, runProgram } from '../programs/run-program.ts'
import { whyNotStarted } from '../programs/why-not-started.ts'
import type { Runtime } from '../runtime.ts'
import { beforehand } from './beforehand.ts'
import { confinedPath } from './confined-path.ts'
import { absolutePlaces, isSecretName, mayRun } from './pure/shell-policy.ts'

/** Which programs the shell tool may run, and which environment variables they see. */
export interface ShellPolicy {
  /** Programs, such as `node`, or with their first arguments, such as `git status`; `*` for all. */
  readonly allow: readonly string[]
  /** Whether a command line may be passed to the shell. The list of programs then limits nothing. */
  readonly interpret?: boolean
  /** Environment variables that a program sees in addition to the usual ones. */
  readonly variables?: readonly string[]
  /** Timeout of a program (default: 2 minutes). */
  readonly timeoutMs?: number
  /** The most bytes of each stream that are kept, counted from the end (default: 32 KiB). */
  readonly maxOutputBytes?: number
  readonly needsApproval?: boolean
}

/** Options of `shellTool`. */
export interface ShellToolOptions {
  /** The working folder. */
  readonly root: string
  readonly policy: ShellPolicy
  readonly runtime: Pick<Runtime, 'spawn' | 'sleep'>
  /** The environment from which allowed variables are taken (default: that of this process). */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Names of variables that hold keys, and are never passed on. */
  readonly secrets?: readonly string[]
}

const isWindows = process.platform === 'win32'
const shell = isWindows ? 'cmd.exe' : '/bin/sh'

const programInput = z.object({
  program: z.string().min(1).describe('The program, without arguments.'),
  args: z.array(z.string()).default([]),
  directory: z.string().default('.').describe('Where it runs, below the working folder.'),
  stdin: z.string().optional().describe('Text for its standard input.'),
})

const lineInput = programInput.omit({ program: true, args: true }).extend({
  line: z.string().min(1).describe(`A line for ${shell}.`),
})

/** A tool that runs the programs you allow, in one folder. A program sees no key and no password of agentm. */
export function shellTool(options: ShellToolOptions): Tool {
  const { policy } = options
  const { interpret = false, needsApproval = false } = policy
  const common = {
    name: 'shell',
    nature: 'effectful',
    needsApproval,
    // The tool has its own timeout, because a program that was ended may have done part of its work, and the tool reports that.
    retry: { timeoutMs: 0, attempts: 1 },
  } as const
  if (interpret)
    return defineTool({
      ...common,
      description: `Runs a line with ${shell} in the working folder, and gives what it wrote.`,
      input: lineInput,
      run: async ({ line, ...rest }, { signal, key }) =>
        run(options, { ...rest, command: line, args: [], interpret: true }, { signal, key }),
    })
  return defineTool({
    ...common,
    description: `Runs a program in the working folder, without a shell, and gives what it wrote. Allowed: ${policy.allow.join(', ')}.`,
    input: programInput,
    run: async ({ program, ...rest }, { signal, key }) => {
      if (!mayRun(policy.allow, [program, ...rest.args]))
        throw new ToolError('permission', `${program} is not allowed here. Allowed: ${policy.allow.join(', ')}`)
      return run(options, { ...rest, command: program }, { signal, key })
    },
  })
}

interface Wanted {
  readonly command: string
  readonly args: readonly string[]
  readonly interpret?: boolean
  readonly directory: string
  readonly stdin?: string | undefined
}

async function run(
  options: ShellToolOptions,
  { command, args, interpret = false, directory, stdin }: Wanted,
  { signal, key }: { readonly signal: AbortSignal; readonly key: string },
): Promise<ToolAnswer> {
  const { policy, runtime } = options
  const { timeoutMs = 120_000, maxOutputBytes = 32_768 } = policy
  const environment = { ...environmentOf(options), AGENTM_IDEMPOTENCY_KEY: key }
  const at = await beforehand(async () => confinedPath(options, directory))
  const [late, over] = [new AbortController(), new AbortController()]
  void runtime.sleep(timeoutMs, over.signal).then(
    () => late.abort(),
    () => undefined,
  )
  const program = { command, args, interpret, stdin, environment, maxOutputBytes, directory: at }
  const end = await runProgram(program, { signal: AbortSignal.any([signal, late.signal]), runtime })
  over.abort()
  signal.throwIfAborted()
  return answerOf(interpret ? shell : command, end, late.signal.aborted ? timeoutMs : undefined)
}

function environmentOf({ environment = process.env, policy, secrets }: ShellToolOptions): Record<string, string> {
  const named = [...usuallyAllowed, ...(policy.variables ?? [])].filter((name) => !isSecretName(name, secrets))
  const seen = childEnvironment(environment, named)
  const separator = isWindows ? ';' : ':'
  const usual = isWindows ? 'C:\\Windows\\System32;C:\\Windows' : '/usr/local/bin:/usr/bin:/bin'
  return { ...seen, PATH: absolutePlaces(seen['PATH'] ?? usual, separator) }
}

function answerOf(command: string, { ended, stdout, stderr }: ProgramEnd, lateMs: number | undefined): ToolAnswer {
  if ('error' in ended)
    throw new ToolError('not_found', whyNotStarted(command, { error: ended.error, directory: undefined }), {
      mayHaveHappened: false,
    })
  const how = 'code' in ended ? `ended with ${ended.code}` : `was ended by ${ended.signal}`
  const first = lateMs === undefined ? `${command} ${how}` : `${command} was ended after ${lateMs} ms`
  const said = [
    ['output', stdout],
    ['errors', stderr],
  ] as const
  const parts = said.flatMap(([name, tail]) =>
    tail.text === '' ? [] : [`${name}${tail.cut ? ', the end of it' : ''}:\n${tail.text}`],
  )
  const failed = lateMs !== undefined || !('code' in ended) || ended.code !== 0
  return { text: [first, ...parts].join('\n\n'), failed }
}
