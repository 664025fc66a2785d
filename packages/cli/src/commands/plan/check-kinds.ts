/** Whether there is somebody to run every step of a plan: this process, or a worker that lives. Asked before anything starts. */
import { type Budget, servingOf } from '@agentm/harness'
import type { Plans } from '@agentm/workspace'
import type { ModelProbe } from '@agentm/workspace/reader'
import { allowKinds } from './pure/what-helps.ts'

/** Steps of a kind that is not run on this machine. */
export class KindNotAllowedError extends Error {
  override readonly name = 'KindNotAllowedError'
  readonly code = 'KIND_NOT_ALLOWED'
  readonly kinds: readonly string[]
  constructor(kinds: readonly string[], titles: readonly string[], allowed: readonly string[]) {
    const lacking = kinds.filter((kind) => allowed.includes(kind))
    const cure =
      lacking.length > 0
        ? `${lacking.join(', ')} is allowed, and lacks what it needs: a model, for an agent.`
        : `Allow it: ${allowKinds([...allowed, ...kinds])}`
    super(`nothing was started: steps of kind ${kinds.join(', ')} are not run here (${titles.join(', ')}). ${cure}`)
    this.kinds = kinds
  }
}

/** Before a goal is planned: its steps are for agents, and a plan that nobody runs is no help. */
export async function checkAgents(opened: Plans): Promise<void> {
  const { store, owner, policy } = opened
  const here = (await opened.stepKinds()).map(({ name }) => name)
  const [now, sessions] = [await store.work.now(), await store.work.sessions()]
  const live = sessions.filter(({ leaseUntil }) => leaseUntil > now).flatMap((session) => servingOf(session) ?? [])
  const elsewhere = live.filter(({ owners, plans }) => owners.includes(owner) && plans === undefined)
  if (here.includes('agent') || elsewhere.some(({ kinds }) => kinds.includes('agent'))) return
  throw new KindNotAllowedError(['agent'], ['those of a goal'], policy.kinds)
}

/** The configured model is not to be had. Asking it again and again would take minutes to say so. */
export class ModelUnreachableError extends Error {
  override readonly name = 'ModelUnreachableError'
  readonly code = 'MODEL_UNREACHABLE'
  readonly model: string
  constructor({ name, from }: ModelProbe, why: string) {
    super(`nothing was started: the model ${name} of ${from} ${why}`)
    this.model = name
  }
}

/** Before a goal is planned: whether the model that is to plan it can be asked at all. */
export function checkModel(probe: ModelProbe | undefined): void {
  const { answer, hasKey, keyVariable, why } = probe ?? {}
  if (probe === undefined || (answer !== 'unreachable' && answer !== 'refused')) return
  throw new ModelUnreachableError(
    probe,
    answer === 'unreachable'
      ? `cannot be reached (${why}). Start it, or correct the address: agentm config set models.url URL`
      : `refuses ${hasKey ? 'its key' : 'a call without a key'} (${why}). Set ${keyVariable}`,
  )
}

/** Before a goal is planned, and before a plan is run: a limit of money needs to know what the model costs. */
export async function checkMoney({ agents }: Plans, budget: Budget | undefined): Promise<void> {
  if (budget?.maxCostMicros !== undefined) await agents.checkPriced()
}

/** Statuses of steps that may still be run, those included that somebody has to try again. */
const mayRun: readonly string[] = ['pending', 'ready', 'running', 'blocked', 'failed']

export async function checkKinds(opened: Plans, planId: string): Promise<void> {
  const { harness, policy } = opened
  const { plan, served } = await harness.status(planId)
  const runs = new Set([...(await opened.stepKinds()).map(({ name }) => name), ...served.flat()])
  const steps = (await harness.steps(planId)).filter(({ payload: { status } }) => mayRun.includes(status))
  if (steps.some(({ payload: { kind = 'agent' } }) => kind === 'agent')) await checkMoney(opened, plan.payload.budget)
  const refused = steps.filter(({ payload: { kind = 'agent' } }) => !runs.has(kind))
  if (refused.length === 0) return
  const kinds = [...new Set(refused.map(({ payload: { kind = 'agent' } }) => kind))]
  const titles = refused.map(({ payload }) => payload.title)
  throw new KindNotAllowedError(kinds, titles.length > 5 ? [...titles.slice(0, 5), '…'] : titles, policy.kinds)
}
