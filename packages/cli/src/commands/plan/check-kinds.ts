/** Checks, before anything starts, that this process or a live worker runs the kind of every step. */
import { servingOf, type StepHead } from '@agentm/harness'
import { checksInside, commandLine, kindsInside } from '@agentm/harness/control'
import type { Plans } from '@agentm/workspace'
import type { ModelProbe } from '@agentm/workspace/reader'
import { allowKinds } from '@agentm/workspace/health'

/** A plan has steps of a kind that neither this process nor a live worker runs. */
export class KindNotAllowedError extends Error {
  override readonly name = 'KindNotAllowedError'
  readonly code = 'KIND_NOT_ALLOWED'
  readonly kinds: readonly string[]
  constructor(kinds: readonly string[], titles: readonly string[], allowed: readonly string[]) {
    const lacking = kinds.filter((kind) => allowed.includes(kind))
    const cure =
      lacking.length > 0
        ? `The kind ${lacking.join(', ')} is allowed, but no model is configured: agentm config set models.url URL`
        : `To allow it: ${allowKinds([...allowed, ...kinds])}`
    super(
      `nothing was started, because steps of kind ${kinds.join(', ')} are not run here (${titles.join(', ')}). ${cure}`,
    )
    this.kinds = kinds
  }
}

/** Before a goal is planned: its steps are for agents, so somebody must run those. */
export async function checkAgents(opened: Plans): Promise<void> {
  const { store, owner, policy } = opened
  const here = (await opened.stepKinds()).map(({ name }) => name)
  const [now, sessions] = [await store.work.now(), await store.work.sessions()]
  const live = sessions.filter(({ leaseUntil }) => leaseUntil > now).flatMap((session) => servingOf(session) ?? [])
  const elsewhere = live.filter(({ owners, plans }) => owners.includes(owner) && plans === undefined)
  if (here.includes('agent') || elsewhere.some(({ kinds }) => kinds.includes('agent'))) return
  throw new KindNotAllowedError(['agent'], ['those of a goal'], policy.kinds)
}

/** The configured model cannot be reached, or refuses its key. Found out before the plan starts, because retries would take minutes. */
export class ModelUnreachableError extends Error {
  override readonly name = 'ModelUnreachableError'
  readonly code = 'MODEL_UNREACHABLE'
  readonly model: string
  constructor({ name, from }: ModelProbe, why: string) {
    super(`nothing was started, because the model ${name} at ${from} ${why}`)
    this.model = name
  }
}

/** Before a goal is planned: checks that the model answers. */
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

/** Statuses of steps that may still run, including those that a person may retry. */
const mayRun: readonly string[] = ['pending', 'ready', 'running', 'blocked', 'failed']

export async function checkKinds(opened: Plans, planId: string): Promise<void> {
  const { harness, policy } = opened
  const { plan, served } = await harness.status(planId)
  const runs = new Set([...(await opened.stepKinds()).map(({ name }) => name), ...served.flat()])
  const steps = (await harness.steps(planId)).filter(({ payload: { status } }) => mayRun.includes(status))
  const { budget } = plan.payload
  await opened.checkMoney({ ...(budget && { budget }), steps: steps.map(({ payload }) => partOf(payload)) })
  if (!runs.has('command')) await checkCommands(opened, steps)
  const refused = steps.filter((step) => kindsOf(step).some((kind) => !runs.has(kind)))
  if (refused.length === 0) return
  const kinds = [...new Set(refused.flatMap(kindsOf))].filter((kind) => !runs.has(kind))
  const titles = refused.map(({ payload }) => payload.title)
  throw new KindNotAllowedError(kinds, titles.length > 5 ? [...titles.slice(0, 5), '…'] : titles, policy.kinds)
}

/** The check of a step runs a program that nobody has allowed here. */
export class CheckNotAllowedError extends Error {
  override readonly name = 'CheckNotAllowedError'
  readonly code = 'CHECK_NOT_ALLOWED'
  readonly commands: readonly string[]
  constructor(commands: readonly string[], allowed: readonly string[]) {
    super(
      `nothing was started, because checks of the plan run ${commands.join(', ')}, and this worker may not. To allow it: ${allowKinds([...allowed, 'command'])}`,
    )
    this.commands = commands
  }
}

async function checkCommands({ mayCheckWith, policy }: Plans, steps: readonly StepHead[]): Promise<void> {
  const refused: string[] = []
  for (const { commands = [] } of steps.flatMap(({ payload: { kind, input, check } }) =>
    checksInside({ ...(kind && { kind }), ...(input && { input }), ...(check && { check }) }),
  ))
    for (const { command, args = [] } of commands)
      if (!(await mayCheckWith({ command, args }))) refused.push(commandLine({ command, args }))
  if (refused.length > 0) throw new CheckNotAllowedError([...new Set(refused)], policy.kinds)
}

/** The kind of a step, or the kinds of the steps inside it. */
function kindsOf({ payload: { kind, input } }: StepHead): readonly string[] {
  return kindsInside({ ...(kind && { kind }), ...(input && { input }) })
}

function partOf({ title, kind, input }: StepHead['payload']) {
  return { key: title, title, ...(kind && { kind }), ...(input && { input }) }
}
