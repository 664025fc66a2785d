/** A step that runs a program. Its environment is what was allowed and no more; its output is kept up to a limit. */
import type { ChildProcess } from 'node:child_process'
import { z } from 'zod'
import type { StepKind, StepOutcome, StepRun } from '../step-kind.ts'
import { OutputTail } from './output-tail.ts'
import { parseInput } from './parse-input.ts'

export interface CommandKindOptions {
  /** Where the allowed variables are taken from; this process's environment where absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Names of variables a program gets to see. */
  readonly allowed?: readonly string[]
  /** Where programs run, unless a step says; this process's directory where absent. */
  readonly directory?: string
  /** Of each of the two streams, from the end. 64 KiB where absent. */
  readonly maxOutputBytes?: number
}

const usuallyAllowed = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'USER', 'SHELL'] as const

const inputSchema = z.object({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  directory: z.string().min(1).optional(),
  /** Text for its standard input. */
  stdin: z.string().optional(),
  /** Variables of its own, beside the allowed ones. */
  environment: z.record(z.string(), z.string()).default({}),
})

type CommandInput = z.infer<typeof inputSchema>

export function commandKind(options: CommandKindOptions = {}): StepKind {
  return {
    name: 'command',
    async run(run) {
      const parsed = parseInput(inputSchema, run.step.input)
      return 'refused' in parsed ? parsed.refused : runCommand(run, parsed.input, options)
    },
  }
}

async function runCommand(run: StepRun, input: CommandInput, options: CommandKindOptions): Promise<StepOutcome> {
  const { maxOutputBytes = 65_536, directory } = options
  const cwd = input.directory ?? directory
  const child = run.runtime.spawn(input.command, input.args, {
    env: environmentOf(run, input, options),
    stdio: 'pipe',
    // A group of its own, so that what it starts ends with it.
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
  })
  const [stdout, stderr] = [new OutputTail(maxOutputBytes), new OutputTail(maxOutputBytes)]
  child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk))
  // A program may end without reading what it is told.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input.stdin)
  const ended = await endOf(child, run)
  if (run.signal.aborted) throw run.signal.reason
  return outcomeOf(input, ended, { stdout, stderr })
}

function environmentOf(run: StepRun, input: CommandInput, options: CommandKindOptions): Record<string, string> {
  const { environment = process.env, allowed = usuallyAllowed } = options
  const inherited = allowed.flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(inherited),
    ...input.environment,
    AGENTM_PLAN_ID: run.planId,
    AGENTM_STEP_ID: run.id,
    AGENTM_ATTEMPT: `${run.step.attempt}`,
    AGENTM_IDEMPOTENCY_KEY: run.step.idempotencyKey,
  }
}

type Ended = { readonly code: number } | { readonly signal: string } | { readonly error: Error }

const politeMs = 2000

async function endOf(child: ChildProcess, { signal, runtime }: StepRun): Promise<Ended> {
  const over = new AbortController()
  const stop = () => {
    killGroup(child, 'SIGTERM')
    void runtime.sleep(politeMs, over.signal).then(
      () => killGroup(child, 'SIGKILL'),
      () => undefined,
    )
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const ended = await new Promise<Ended>((resolve) => {
    child.on('error', (error) => resolve({ error }))
    child.on('close', (code, killedBy) => resolve(code === null ? { signal: killedBy ?? 'unknown' } : { code }))
  })
  signal.removeEventListener('abort', stop)
  over.abort()
  return ended
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // It ended by itself in between.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** By convention of sysexits: try again later. */
const temporaryFailure = 75

function outcomeOf(
  { command, args }: CommandInput,
  ended: Ended,
  { stdout, stderr }: { readonly stdout: OutputTail; readonly stderr: OutputTail },
): StepOutcome {
  if ('error' in ended) {
    const code = 'code' in ended.error && typeof ended.error.code === 'string' ? { code: ended.error.code } : {}
    return { end: 'failed', failure: { message: `${command} could not be started: ${ended.error.message}`, ...code } }
  }
  const output = { stdout: stdout.text, stderr: stderr.text, ...(stdout.cut || stderr.cut ? { cut: true } : {}) }
  if ('code' in ended && ended.code === 0) return { end: 'done', result: { exitCode: 0, ...output } }
  const how = 'code' in ended ? `ended with ${ended.code}` : `was ended by ${ended.signal}`
  const said = stderr.lastLine === '' ? '' : `: ${stderr.lastLine}`
  const retryable = 'code' in ended && ended.code === temporaryFailure ? { retryable: true } : {}
  const message = `${command} ${how}${said}`
  const data = { toolName: command, args, message, ...ended, ...output }
  return { end: 'failed', failure: { message, ...retryable }, observation: { kind: 'error', content: message, data } }
}
