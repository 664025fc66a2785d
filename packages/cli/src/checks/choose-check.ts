/**
 * The check of a goal: what the command line says, else what was chosen in this repository before, else what a person at the
 * terminal confirms. A program is run only after one of these.
 */
import { type NewCheck, protectedFiles } from '@agentm/harness'
import { type CheckCommand, commandLine } from '@agentm/harness/control'
import type { Plans } from '@agentm/workspace'
import { type Call, UsageError } from '../command.ts'
import { personSaysYes } from '../person-says-yes.ts'
import { findCandidates } from './find-candidates.ts'
import { usuallyProtected } from './pure/check-candidates.ts'
import { commandWords } from './pure/command-words.ts'

export const checkOptions = {
  check: {
    value: 'CMD',
    repeats: true,
    help: 'the goal is reached only when CMD exits with 0; remembered for this repository',
  },
  'no-check': { help: 'believe the agents that the goal is reached; remembered for this repository' },
  protect: {
    value: 'GLOB',
    repeats: true,
    help: 'files that must stay as they are while a check is in force (default: tests, and what runs them)',
  },
  'no-protect': { help: 'agents may change tests, too' },
} as const

type ConfirmedChecks = Plans['checks']
type ChosenCheck = Exclude<Parameters<ConfirmedChecks['choose']>[0], 'none'>

export interface CheckWish {
  /** `undefined`: nothing was said. */
  readonly commands: readonly CheckCommand[] | 'none' | undefined
  readonly protect: readonly string[] | undefined
}

/** Reads the options before anything is opened. */
export function checkWishOf(call: Call): CheckWish {
  const commands = call.all('check').map(parsedCommand)
  if (call.has('no-check') && commands.length > 0) throw new UsageError('--check and --no-check exclude each other.')
  if (call.has('no-protect') && call.all('protect').length > 0)
    throw new UsageError('--protect and --no-protect exclude each other.')
  const globs = call.has('no-protect') ? [] : call.all('protect')
  return {
    commands: call.has('no-check') ? 'none' : commands.length > 0 ? commands : undefined,
    protect: call.has('no-protect') || globs.length > 0 ? globs : undefined,
  }
}

function parsedCommand(line: string): CheckCommand {
  const words = commandWords(line)
  if ('problem' in words) throw new UsageError(`--check does not accept ${JSON.stringify(line)}: ${words.problem}.`)
  const [command = '', ...args] = words
  return { command, args }
}

export interface InForce {
  /** Absent if there is none. */
  readonly check?: NewCheck
  /** For people. */
  readonly note: string
}

export async function chooseCheck(
  call: Call,
  wish: CheckWish,
  { checks, directory }: { readonly checks: ConfirmedChecks; readonly directory: string },
): Promise<InForce> {
  const chosen = await choiceOf(call, wish, { checks, directory })
  if (chosen === undefined || chosen === 'none') return { note: noCheck(await findCandidates(directory)) }
  const { commands, protect } = chosen
  const files = await protectedFiles(directory, protect)
  const count = Object.keys(files).length
  const kept =
    count === 0
      ? ''
      : ` ${count} ${count === 1 ? 'file' : 'files'} must stay as they are, such as tests (--no-protect).`
  const lines = commands.map(commandLine).join(', ')
  return {
    check: { commands: [...commands], ...(count > 0 && { protect: [...protect], protected: { ...files } }) },
    note: `The goal is reached when this passes: ${lines}.${kept}`,
  }
}

async function choiceOf(
  call: Call,
  { commands, protect }: CheckWish,
  { checks, directory }: { readonly checks: ConfirmedChecks; readonly directory: string },
): Promise<ChosenCheck | 'none' | undefined> {
  const known = await checks.chosen()
  if (commands === undefined && known !== undefined) {
    if (known === 'none' || protect === undefined) return known
    return remembered(checks, { ...known, protect })
  }
  if (commands === 'none') return remembered(checks, 'none')
  const wanted = commands ?? (await askedFor(call, directory))
  if (wanted === undefined) return undefined
  return remembered(checks, wanted === 'none' ? 'none' : { commands: wanted, protect: protect ?? usuallyProtected })
}

async function remembered<C extends ChosenCheck | 'none'>(checks: ConfirmedChecks, choice: C): Promise<C> {
  await checks.choose(choice)
  return choice
}

/** Asks once: the answer is remembered, whatever it is. */
async function askedFor(
  { terminal, json }: Call,
  directory: string,
): Promise<readonly CheckCommand[] | 'none' | undefined> {
  if (!terminal.isInteractive || json) return undefined
  const found = await findCandidates(directory)
  if (found.length === 0) return undefined
  const lines = found.map((command) => `  ${commandLine(command)}`).join('\n')
  const question = `Goals in this repository could be checked with:\n${lines}\nRun these after each goal, and count it as reached only if they pass? Other commands: --check CMD.`
  return (await personSaysYes(terminal, question)) ? found : 'none'
}

function noCheck(candidates: readonly CheckCommand[]): string {
  const example = candidates[0] === undefined ? 'CMD' : JSON.stringify(commandLine(candidates[0]))
  return `No check is in force: what the agents say is believed. To set one: agentm do --check ${example} …`
}
