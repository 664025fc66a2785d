/** What `agentm do` tells in the end: what happened, the results, and the commands that go on. */
import { type Budget, type Plan, readTrace, renderTrace } from '@agentm/harness'
import { commandLine, ownKindNames } from '@agentm/harness/control'
import { redactSecrets } from '@agentm/nodes'
import type { Plans } from '@agentm/workspace'
import type { Answer } from '../../command.ts'
import { shellWord } from '../../pure/shell-word.ts'
import { commandWord, typed } from '../../typed.ts'
import { planState, type PlanState } from '../plan/plan-state.ts'
import { treesNote } from '../plan/plan-trees.ts'
import { oneLine } from '../plan/pure/state-text.ts'
import { traceText } from '../plan/pure/trace-text.ts'
import { withoutSecrets } from '../plan/trace.ts'

interface Told {
  readonly created: boolean
  readonly revision: number
  readonly state: PlanState
  readonly budget: Budget | undefined
  /** The commands that had to pass. */
  readonly check: readonly string[]
  readonly results: readonly { readonly title: string; readonly text: string }[]
  /** For people. */
  readonly happened: string
  /** For programs. */
  readonly timeline: string
  /** What the plan changed apart from the folder, and the commands for it. */
  readonly apart: string | undefined
}

/** The commands that have to pass. */
export function checkLines({ check }: Plan): readonly string[] {
  return check?.commands?.map(commandLine) ?? []
}

export async function goalAnswer(opened: Plans, planId: string, how: { readonly created: boolean }): Promise<Answer> {
  return answer({ ...(await told(opened, planId)), ...how })
}

async function told(opened: Plans, planId: string): Promise<Omit<Told, 'created'>> {
  const { store, owner, harness, policy } = opened
  const source = { policy, harness }
  const { payload } = await harness.plan(planId)
  const done = (await harness.steps(planId)).filter(
    ({ payload: { status, kind } }) => status === 'done' && !ownKindNames.includes(kind ?? 'agent'),
  )
  const trace = withoutSecrets(await readTrace(store.log, { planId, owner }))
  return {
    revision: payload.revision ?? 0,
    state: await planState(source, planId),
    budget: payload.budget,
    check: checkLines(payload),
    results: done.map(({ payload: { title, result } }) => ({ title, text: resultText(result) })),
    happened: redactSecrets(traceText(trace, { verbose: false, calls: false })),
    timeline: redactSecrets(renderTrace(trace)),
    apart: await treesNote(opened, planId),
  }
}

function answer({ created, revision, state, budget, check, results, happened, timeline, apart }: Told): Answer {
  const over = ['done', 'failed', 'cancelled'].includes(state.status)
  const asks = state.waiting.some(({ ask }) => ask !== undefined) || state.paused
  const status = over ? state.status : asks ? 'waiting' : 'stopped'
  const next = over ? [] : nextCommands(state)
  return {
    text: [
      happened,
      ...results.map(reported),
      ...(apart === undefined ? [] : ['', apart]),
      ...(next.length === 0 ? [] : ['', 'Next:', ...next.map((line) => `  ${line}`)]),
    ].join('\n'),
    data: { ...state, status, created, revision, budget, check, results, next, timeline },
    exit: status === 'done' || status === 'waiting' ? 0 : 1,
  }
}

const modelCommands = 'agentm config set models.url URL && agentm config set models.model NAME'

/** The commands that continue the plan: the answers it waits for, and then the goal again. */
function nextCommands({ goal, waiting }: PlanState): readonly string[] {
  const helps = waiting.flatMap(({ help }) => (help === undefined ? [] : [help]))
  const withoutModel = waiting.some(({ ask }) => ask?.questionId === 'without-model')
  return [
    ...new Set(helps),
    ...(withoutModel ? [typed(modelCommands)] : []),
    `${commandWord()} do ${shellWord(oneLine(goal))}`,
  ]
}

function reported({ title, text }: { readonly title: string; readonly text: string }): string {
  return `\n${oneLine(title)}\n${text
    .split('\n')
    .map((line) => `  ${oneLine(line)}`)
    .join('\n')}`
}

function resultText(result: unknown): string {
  const { text }: { readonly text?: unknown } = typeof result === 'object' && result !== null ? result : {}
  return typeof text === 'string' ? text : JSON.stringify(result ?? {})
}
