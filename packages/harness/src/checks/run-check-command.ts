/** Runs one program of a check, with the same environment and sandbox as a step of kind `command`. */
import { whyNotStarted } from '@agentm/agent-loop/internal'
import { type CommandSurroundings, runStepProgram } from '../kinds/run-step-program.ts'
import type { StepRun } from '../step-kind.ts'
import type { CheckCommand } from './check.ts'
import { commandLine } from './pure/check-texts.ts'

const usualTimeoutMs = 600_000
/** As much as a model can read with profit. The end of the output says what is wrong. */
const maxOutputBytes = 12_288

export interface CommandEnd {
  readonly passed: boolean
  /** One line. */
  readonly summary: string
  /** The end of what it printed. */
  readonly output: string
}

export async function runCheckCommand(
  run: StepRun,
  command: CheckCommand,
  surroundings: CommandSurroundings,
): Promise<CommandEnd> {
  const { timeoutMs = usualTimeoutMs } = command
  const directory = await run.directory()
  const [late, over] = [new AbortController(), new AbortController()]
  void run.runtime.sleep(timeoutMs, over.signal).then(
    () => late.abort(),
    () => undefined,
  )
  const { args } = command
  const program = { command: command.command, args, stdin: undefined, maxOutputBytes, directory }
  const signal = AbortSignal.any([run.signal, late.signal])
  const { ended, stdout, stderr } = await runStepProgram(run, program, { ...surroundings, signal })
  over.abort()
  if (run.signal.aborted) throw run.signal.reason
  const line = commandLine(command)
  if ('error' in ended)
    return { passed: false, summary: whyNotStarted(command.command, { error: ended.error, directory }), output: '' }
  const output = [stdout, stderr]
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n')
  if (late.signal.aborted) return { passed: false, summary: `${line} did not end within ${timeoutMs} ms`, output }
  if ('signal' in ended) return { passed: false, summary: `${line} was ended by ${ended.signal}`, output }
  return { passed: ended.code === 0, summary: `${line} ended with ${ended.code}`, output }
}
