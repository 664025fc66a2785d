/** What a person wants of `agentm do`, read from its options. */
import type { MediaPart } from '@agentm/agent-loop/internal'
import type { Budget } from '@agentm/harness'
import type { Plans } from '@agentm/workspace'
import { checkOptions, type CheckWish, checkWishOf } from '../../checks/choose-check.ts'
import { type Call, UsageError } from '../../command.ts'
import { logOption } from '../../log-terminal.ts'
import { givenFile } from '../../plan-file/given-files.ts'
import { typed } from '../../typed.ts'
import { countOption, moneyOption, secondsOption } from '../number-options.ts'
import { sentence } from '../plan/pure/sentence.ts'
import { treesOptions, type TreesWish, treesWish } from '../plan/trees-of-call.ts'
import { streamOption } from '../plan/worker-options.ts'

/** No time limit: a goal may rest for days and be continued. */
const ownBudget = { maxSteps: 50, maxToolCalls: 500, maxTokens: 2_000_000 } as const satisfies Budget

export const goalOptions = {
  'max-steps': { value: 'N', help: `most step starts, retries included (default: ${ownBudget.maxSteps})` },
  'max-tool-calls': { value: 'N', help: `most tool calls (default: ${ownBudget.maxToolCalls})` },
  'max-tokens': { value: 'N', help: `most model tokens (default: ${ownBudget.maxTokens.toLocaleString('en')})` },
  'max-cost': { value: 'DOLLARS', help: 'most money for the model; needs models.prices (default: no limit)' },
  file: {
    value: 'FILE',
    help: 'a picture (PNG, JPEG, GIF, WebP) or a PDF that agents are shown; see models.inputs',
    repeats: true,
  },
  replans: { value: 'N', help: 'how often the goal may be replanned (default: 2)' },
  ...checkOptions,
  anyway: { help: 'start although agents lack tools for their work' },
  slots: { value: 'N', help: 'how many steps run at once (default: 4)' },
  grace: { value: 'SECONDS', help: 'how long running steps may finish when you stop the command (default: 5)' },
  ...treesOptions('own in a git repository if agents may change files, else none'),
  stream: streamOption,
  log: logOption,
  cwd: { value: 'DIR', help: 'as if called in this directory' },
}

export interface GoalWish {
  readonly call: Call
  readonly goal: string
  readonly budget: Budget
  readonly replans: number
  readonly check: CheckWish
  readonly anyway: boolean
  readonly slots: number | undefined
  readonly graceMs: number
  readonly trees: TreesWish
}

/** Reads the options before anything is opened, so that a wrong option leaves nothing behind. */
export function goalWishOf(call: Call): GoalWish {
  const goal = (call.args[0] ?? '').trim()
  if (goal === '') throw new UsageError('the goal is empty. Say what you want: agentm do "…"')
  return {
    call,
    goal,
    budget: budgetOf(call),
    replans: countOption(call, 'replans', 0) ?? 2,
    check: checkWishOf(call),
    anyway: call.has('anyway'),
    slots: countOption(call, 'slots'),
    graceMs: secondsOption(call, 'grace', 5) * 1000,
    trees: treesWish(call),
  }
}

function budgetOf(call: Call): Budget {
  const cost = moneyOption(call, 'max-cost')
  return {
    maxSteps: countOption(call, 'max-steps') ?? ownBudget.maxSteps,
    maxToolCalls: countOption(call, 'max-tool-calls') ?? ownBudget.maxToolCalls,
    maxTokens: countOption(call, 'max-tokens') ?? ownBudget.maxTokens,
    ...(cost !== undefined && { maxCostMicros: cost }),
  }
}

const mostFiles = 8

/** They are looked at before the model is asked for a plan. */
export async function goalFiles(call: Call, { agents }: Plans): Promise<readonly MediaPart[]> {
  const names = call.all('file')
  if (names.length > mostFiles) throw new UsageError(`--file can be given ${mostFiles} times, not ${names.length}.`)
  const found = await Promise.all(
    names.map(async (name) => givenFile(name, { directory: call.cwd, media: agents.media })),
  )
  return found.map((each) => {
    if ('problem' in each) throw new UsageError(typed(sentence(`--file: ${each.problem}`)))
    return each
  })
}
