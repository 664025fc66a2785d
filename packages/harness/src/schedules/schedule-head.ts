import { AbsentNodeError, composeId, deriveId, type Head, type Node } from '@agentm/nodes'
import type { HarnessContext } from '../harness-context.ts'
import { InvalidScheduleError } from '../harness-errors.ts'
import { scheduleName } from '../pure/concept-names.ts'
import type { Schedule } from './schedule.ts'

/** The newest version of a schedule. */
export type ScheduleHead = Head<Schedule>

/** The cast is safe because the schema of the concept checked the content when it was written. */
export function asSchedule(node: Head): ScheduleHead
export function asSchedule(node: Node): Node<Schedule>
export function asSchedule(node: Node): Node<Schedule> {
  return node as Node<Schedule>
}

const wellNamed = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,79}$/u

/** Each owner has names of their own. The id of a schedule is also accepted. */
export function scheduleIdOf(owner: string, name: string): string {
  if (name.startsWith(`${scheduleName}:`)) return composeId(scheduleName, name)
  if (!wellNamed.test(name))
    throw new InvalidScheduleError([
      `${JSON.stringify(name)} is no name for a schedule. A name is one word of letters, digits, dots and hyphens, such as nightly-report`,
    ])
  return deriveId(scheduleName, owner, name)
}

export async function findSchedule({ store, owner }: HarnessContext, name: string): Promise<ScheduleHead | undefined> {
  const head = await store.log.latest(scheduleIdOf(owner, name), { owner })
  return head === undefined || head.redacted ? undefined : asSchedule(head)
}

/** A removed schedule counts as absent. */
export async function readSchedule(context: HarnessContext, name: string): Promise<ScheduleHead> {
  const head = await findSchedule(context, name)
  if (head === undefined || head.payload.status === 'removed') throw new AbsentNodeError(`schedule ${name}`)
  return head
}
