/** A step that runs a program. The program sees only allowed environment variables, and its output is kept up to a limit. */
import path from 'node:path'
import { z } from 'zod'
import type { StepKind, StepOutcome, StepRun } from '../step-kind.ts'
import { type ProgramEnd, whyNotStarted } from '@agentm/agent-loop/internal'
import { parseInput } from './parse-input.ts'
import { type CommandSurroundings, runStepProgram } from './run-step-program.ts'

export interface CommandKindOptions extends CommandSurroundings {
  /** The most bytes that are kept of stdout and of stderr, counted from the end (default: 64 KiB). */
  readonly maxOutputBytes?: number
}

export const commandInput = z.object({
  command: z.string().min(1).describe('The program.'),
  args: z.array(z.string()).default([]).describe('Its arguments.'),
  directory: z
    .string()
    .min(1)
    .optional()
    .describe('The directory in which it runs (default: the directory of the step).'),
  stdin: z.string().optional().describe('Text for its standard input.'),
  environment: z
    .record(z.string(), z.string())
    .default({})
    .describe('More environment variables for this step, in addition to the allowed ones.'),
})

type CommandInput = z.infer<typeof commandInput>

/**
 * Steps of kind `command`: they run a program with the environment variables you allow. Its output is kept up to a
 * limit.
 *
 * @example
 * ```ts
 * import { commandKind } from '@agentm/harness'
 *
 * console.log(commandKind().name) // command
 * ```
 */
export function commandKind(options: CommandKindOptions = {}): StepKind {
  return {
    name: 'command',
    async run(run) {
      const parsed = parseInput(commandInput, run.step.input)
      return 'refused' in parsed ? parsed.refused : runCommand(run, parsed.input, options)
    },
  }
}

async function runCommand(run: StepRun, input: CommandInput, options: CommandKindOptions): Promise<StepOutcome> {
  const { maxOutputBytes = 65_536, ...surroundings } = options
  const { command, args, stdin, environment: own } = input
  const directory = path.resolve(await run.directory(), input.directory ?? '.')
  const end = await runStepProgram(run, { command, args, stdin, maxOutputBytes, directory, own }, surroundings)
  if (run.signal.aborted) throw run.signal.reason
  return outcomeOf({ ...input, directory }, end)
}

/** Exit code 75 (`EX_TEMPFAIL` of sysexits) means: try again later. */
const temporaryFailure = 75

function outcomeOf(
  { command, args, directory }: Pick<CommandInput, 'command' | 'args' | 'directory'>,
  { ended, stdout, stderr }: ProgramEnd,
): StepOutcome {
  if ('error' in ended) {
    const code = 'code' in ended.error && typeof ended.error.code === 'string' ? { code: ended.error.code } : {}
    const message = whyNotStarted(command, { error: ended.error, directory })
    return { end: 'failed', failure: { message, ...code } }
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
