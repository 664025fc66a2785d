/** Plans of the configured owner, opened for the duration of a command. */
import { AbsentNodeError } from '@agentm/nodes'
import type { Plans } from '@agentm/workspace'
import type { PlansReader } from '@agentm/workspace/reader'
import type { Answer, Call } from '../../command.ts'

export async function withPlans(call: Call, work: (plans: Plans) => Promise<Answer>): Promise<Answer> {
  return work(await (await call.workspace()).plans())
}

/** For commands that change an existing plan. Creates no log: without one, no plan has that name. */
export async function changingPlans(call: Call, work: (plans: Plans) => Promise<Answer>): Promise<Answer> {
  if (!(await (await call.workspace()).hasLog())) throw new AbsentNodeError(call.args[0] ?? '')
  return withPlans(call, work)
}

/** For commands that only read. Creates no log: without one, the answer is `otherwise`. */
export async function lookingAtPlans(
  call: Call,
  work: (plans: PlansReader) => Promise<Answer>,
  otherwise: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const plans = await (await call.reader()).plans()
  return plans === undefined ? otherwise() : work(plans)
}
