/** What a call of `log prune` or `log archive` is about: which plans and sessions, in which log. */
import { type Chosen, chooseGroups, type LearningPosition, type RetentionRule } from '@agentm/harness/retention'
import { consolidationCursor } from '@agentm/learning/concepts'
import { type NodeStore, scanAll } from '@agentm/nodes'
import { type Call, type Option, UsageError } from '../../command.ts'
import { ageInMs } from './pure/age-in-ms.ts'

export const retentionOptions: Readonly<Record<string, Option>> = {
  'older-than': {
    value: 'AGE',
    help: "only what was last written before that, such as '90 days', '12 weeks' or '1 year'",
  },
  status: { value: 'STATUSES', help: 'only plans in these statuses: done, failed, cancelled (default: all three)' },
  project: { value: 'PROJECT', help: 'only of this project (default: of all)' },
  only: { value: 'KIND', help: 'only plans, or only sessions (default: both)' },
  unread: { help: 'also what nothing was learned from yet' },
}

export interface ChosenFrom {
  readonly store: NodeStore
  readonly place: string
  readonly chosen: Chosen
}

/** `undefined` if there is no log. */
export async function chooseFor(
  call: Call,
): Promise<ChosenFrom | { readonly place: string; readonly store?: undefined }> {
  const rule = ruleOf(call, Date.now())
  const workspace = await call.workspace()
  const upkeep = await workspace.logUpkeep()
  const { place, concepts } = upkeep
  const [store, owner] = [await upkeep.existing(), await workspace.owner()]
  if (store === undefined) return { place }
  const learning = call.has('unread') ? undefined : await learningPosition(store, owner)
  const chosen = await chooseGroups({ store, owner, concepts }, { rule, learning })
  return { store, place, chosen }
}

function ruleOf(call: Call, now: number): RetentionRule {
  const age = call.get('older-than')
  if (age === undefined)
    throw new UsageError("no age was given. Say how old it has to be, such as --older-than '90 days'.")
  const ms = ageInMs(age)
  if (ms === undefined)
    throw new UsageError(
      `--older-than takes an age such as '90 days', '12 weeks' or '1 year', not ${JSON.stringify(age)}.`,
    )
  const [statuses, project, only] = [call.get('status'), call.get('project'), call.get('only')]
  const kind = only === undefined ? undefined : kindOf(only)
  return {
    before: now - ms,
    ...(statuses === undefined ? {} : { statuses: statusesIn(statuses) }),
    ...(project === undefined ? {} : { project }),
    ...(kind === undefined ? {} : { kind }),
  }
}

const endings = ['done', 'failed', 'cancelled']

function statusesIn(text: string): readonly string[] {
  const statuses = text.split(',').map((each) => each.trim())
  const unknown = statuses.find((each) => !endings.includes(each))
  if (unknown !== undefined)
    throw new UsageError(
      `--status takes ${endings.join(', ')}, separated by commas, not ${JSON.stringify(unknown)}. A plan that is not over always stays.`,
    )
  return statuses
}

function kindOf(only: string): 'plan' | 'session' {
  if (only === 'plans') return 'plan'
  if (only === 'sessions') return 'session'
  throw new UsageError(`--only takes plans or sessions, not ${JSON.stringify(only)}.`)
}

/** How far consolidation has read this owner's episodes and sessions. */
async function learningPosition({ log }: NodeStore, owner: string): Promise<LearningPosition> {
  const [cursor] = await scanAll(log, { owner, concepts: [consolidationCursor.name] })
  const { readTo, afterSequence, turnsReadTo, held } = cursor?.payload ?? {}
  return {
    episodes: numberIn(readTo) ?? numberIn(afterSequence),
    turns: numberIn(turnsReadTo),
    held: Array.isArray(held) ? held.map(String) : [],
  }
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
