/**
 * The shell tool, and tools for programs that run on while the agent works: a server, a watcher, a long build. They belong to the
 * loop that started them and end with it, and with the worker, however that ends.
 */
import { z } from 'zod'
import { defineTool, type LoopScope, type Tool, type ToolAnswer } from '../loop/tool.ts'
import { ToolError } from '../loop/tool-error.ts'
import { whyNotStarted } from '../programs/why-not-started.ts'
import { shellTool } from './shell-tool.ts'
import { RunningProgram } from './shell/running-program.ts'
import { lineInput, programInput, shell, type ShellToolOptions } from './shell/shell-options.ts'
import { shellProgram, type Wanted } from './shell/shell-program.ts'

/**
 * The shell tool with `shell_start`, `shell_read`, `shell_write` and `shell_stop` for programs that run on meanwhile.
 *
 * @example
 * ```ts
 * import { systemRuntime } from '@agentm/agent-loop'
 * import { shellTools } from '@agentm/agent-loop/tools'
 *
 * const tools = shellTools({ root: '/srv/checkouts/acme', policy: { allow: ['npm'] }, runtime: systemRuntime })
 * console.log(tools.length) // 5
 * ```
 */
export function shellTools(options: ShellToolOptions): readonly Tool[] {
  const programs = new WeakMap<LoopScope, Map<number, RunningProgram>>()
  return [
    shellTool(options),
    startTool(options, programs),
    readTool(programs),
    writeTool(options, programs),
    stopTool(programs),
  ]
}

type Programs = WeakMap<LoopScope, Map<number, RunningProgram>>

/** More are refused, because a model forgets what it has started. */
const mostPrograms = 8

const id = z.number().int().min(1).describe('The number that shell_start gave.')

/** These tools wait on their own. */
const untimed = { timeoutMs: 0, attempts: 1 }

function startTool(options: ShellToolOptions, programs: Programs): Tool {
  const { interpret = false, needsApproval = false, allow } = options.policy
  const what = interpret ? `a line with ${shell}` : `a program, without a shell. Allowed: ${allow.join(', ')}`
  const common = {
    name: 'shell_start',
    description: `Starts something that runs on, such as a server: ${what}. It ends with this step.`,
    nature: 'effectful',
    needsApproval,
    retry: untimed,
  } as const
  const run = async (wanted: Wanted, { key, loop }: { readonly key: string; readonly loop?: LoopScope }) =>
    start(options, { wanted, key, running: runningIn(programs, loop) })
  return interpret
    ? defineTool({ ...common, input: lineInput.omit({ stdin: true }), run })
    : defineTool({ ...common, input: programInput.omit({ stdin: true }), run })
}

function runningIn(programs: Programs, loop: LoopScope | undefined): Map<number, RunningProgram> {
  if (loop === undefined) throw new TypeError('shell_start needs the loop that it belongs to')
  const known = programs.get(loop)
  if (known !== undefined) return known
  const running = new Map<number, RunningProgram>()
  programs.set(loop, running)
  loop.onEnd(async () => {
    await Promise.all([...running.values()].map(async (program) => program.stop()))
  })
  return running
}

async function start(
  options: ShellToolOptions,
  {
    wanted,
    key,
    running,
  }: { readonly wanted: Wanted; readonly key: string; readonly running: Map<number, RunningProgram> },
): Promise<string> {
  const left = [...running].filter(([, { ending }]) => ending === undefined).map(([number]) => number)
  if (left.length >= mostPrograms)
    throw new ToolError(
      'validation',
      `${mostPrograms} programs run already; end one with shell_stop: ${left.join(', ')}`,
    )
  const wantedProgram = await shellProgram(options, wanted, key)
  const { maxOutputBytes = 32_768 } = options.policy
  const program = new RunningProgram(wantedProgram, { maxOutputBytes, runtime: options.runtime })
  const failed = await program.started()
  if (failed !== undefined) throw notStarted(program.name, failed)
  const number = running.size + 1
  running.set(number, program)
  return `${program.name} runs as number ${number}; read what it writes with shell_read`
}

function notStarted(name: string, ending: object): ToolError {
  const error = 'error' in ending && ending.error instanceof Error ? ending.error : new Error('it ended at once')
  return new ToolError('not_found', whyNotStarted(name, { error, directory: undefined }), { mayHaveHappened: false })
}

function readTool(programs: Programs): Tool {
  return defineTool({
    name: 'shell_read',
    description: 'Gives what a program wrote since the last time, and whether it still runs.',
    input: z.object({
      id,
      waitMs: z.number().int().min(0).max(60_000).default(0).describe('How long to wait if there is nothing new.'),
    }),
    nature: 'pure',
    polling: true,
    retry: untimed,
    async run({ id: number, waitMs }, { signal, loop }) {
      const program = programOf(programs, { loop, number })
      await program.news(waitMs, signal)
      signal.throwIfAborted()
      return stateOf(program)
    },
  })
}

function writeTool({ policy: { needsApproval = false } }: ShellToolOptions, programs: Programs): Tool {
  return defineTool({
    name: 'shell_write',
    description: 'Writes to the standard input of a program that shell_start started.',
    input: z.object({
      id,
      text: z.string().describe('A line needs its line break.'),
      end: z.boolean().default(false).describe('Whether this is all; the input is closed after it.'),
    }),
    nature: 'effectful',
    // The same line twice is two lines.
    repeatable: true,
    needsApproval,
    retry: untimed,
    async run({ id: number, text, end }, { loop }) {
      const program = programOf(programs, { loop, number })
      if (!program.write(text, end))
        throw new ToolError('validation', `number ${number} reads no more input`, { mayHaveHappened: false })
      return `written: ${Buffer.byteLength(text)} bytes`
    },
  })
}

function stopTool(programs: Programs): Tool {
  return defineTool({
    name: 'shell_stop',
    description: 'Ends a program that shell_start started, with everything it started.',
    input: z.object({ id }),
    nature: 'idempotent',
    retry: untimed,
    async run({ id: number }, { loop }) {
      const program = programOf(programs, { loop, number })
      await program.stop()
      return stateOf(program)
    },
  })
}

function programOf(
  programs: Programs,
  { loop, number }: { readonly loop: LoopScope | undefined; readonly number: number },
): RunningProgram {
  const program = loop && programs.get(loop)?.get(number)
  if (program !== undefined) return program
  // A step that was resumed remembers programs that ended with its last run.
  throw new ToolError(
    'not_found',
    `no program has number ${number}; one of an earlier run of this step was ended with it`,
    {
      mayHaveHappened: false,
    },
  )
}

function stateOf(program: RunningProgram): ToolAnswer {
  const { text, droppedBytes } = program.take()
  const { name, ending } = program
  const dropped = droppedBytes > 0 ? `, after ${droppedBytes} bytes that were not kept` : ''
  const said = text === '' ? 'nothing new was written' : `it wrote${dropped}:\n${text}`
  return `${name} ${howItIs(ending)}\n\n${said}`
}

function howItIs(ending: RunningProgram['ending']): string {
  if (ending === undefined) return 'runs'
  if ('code' in ending) return `ended with ${ending.code}`
  return 'signal' in ending ? `was ended by ${ending.signal}` : `failed: ${ending.error.message}`
}
