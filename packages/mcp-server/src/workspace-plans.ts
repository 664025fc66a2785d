/** Plans of one directory for a host. What an agent does is recorded as the agent's, and what needs a person stays for a person. */
import type { Plans, Workspace } from '@agentm/workspace'
import { McpServerError } from './mcp-server-error.ts'
import type { PlanChange, PlanGlance, PlanLook, PlansPort, PlanWish } from './plans-port.ts'
import { shortId } from './pure/short-id.ts'

type Harness = Plans['harness']
type NewPlan = Parameters<Harness['createPlan']>[0]
type Waiting = Awaited<ReturnType<Harness['waiting']>>[number]

/** Parses the text of a plan file. */
export type ReadPlan = (
  text: string,
  options: { readonly inputs: Readonly<Record<string, unknown>>; readonly workspace: Workspace },
) => Promise<NewPlan>

/** A goal has no author who could set limits. They are those of `agentm do`. */
const goalBudget = { maxSteps: 50, maxToolCalls: 500, maxTokens: 2_000_000 } as const

export function workspacePlans(workspace: Workspace, readPlan: ReadPlan | undefined): PlansPort {
  return {
    async start(wish, by) {
      const opened = await workspace.plans()
      const { planId, created } = await startedPlan(wish, { opened, workspace, readPlan, by })
      const { served } = await opened.harness.status(planId)
      const steps = await opened.harness.steps(planId)
      return { plan: shortId(planId), created, steps: steps.length, workers: served.length }
    },
    async list() {
      const { harness } = await workspace.plans()
      const open = await harness.statuses()
      return (open.length > 0 ? open : await harness.statuses({ newest: 5 })).map(glance)
    },
    async look(words, { waitMs }) {
      const { harness } = await workspace.plans()
      const { planId } = await found(harness, words)
      if (waitMs > 0) await untilNews(harness, planId, waitMs)
      return lookAt(harness, planId)
    },
    async change(change, by) {
      const { harness } = await workspace.plans()
      return changed(harness, { ...change, ...(await found(harness, change.plan)), by })
    },
  }
}

interface Start {
  readonly opened: Plans
  readonly workspace: Workspace
  readonly readPlan: ReadPlan | undefined
  readonly by: string
}

async function startedPlan(
  { goal, file, inputs = {}, maxCost }: PlanWish,
  { opened, workspace, readPlan, by }: Start,
): Promise<{ readonly planId: string; readonly created: boolean }> {
  const money = maxCost === undefined ? {} : { maxCostMicros: Math.round(maxCost * 1e6) }
  if (file !== undefined) {
    if (readPlan === undefined) throw new McpServerError('INVALID_INPUT', 'plan_start: this server takes goals only.')
    const read = await readPlan(file, { inputs, workspace })
    const plan = { ...read, goal: goal ?? read.goal, budget: { ...read.budget, ...money } }
    await opened.checkMoney(plan)
    return opened.harnessAs(by).createPlan(plan)
  }
  if (goal === undefined) throw new McpServerError('INVALID_INPUT', 'plan_start: give a goal, or a plan in file.')
  const budget = { ...goalBudget, ...money }
  await opened.checkMoney({ budget })
  const { planner } = await opened.planner({ actor: by })
  return planner.plan({ goal, partition: opened.partition, budget })
}

async function found(
  harness: Harness,
  words: string,
): Promise<{ readonly planId: string; readonly stepId: string | undefined }> {
  const { of, id } = await harness.find(words)
  if (of === 'plan') return { planId: id, stepId: undefined }
  return { planId: (await harness.step(id)).payload.planId, stepId: id }
}

type Standing = Awaited<ReturnType<Harness['status']>>

const isOver = ({ plan }: Standing) => ['done', 'failed', 'cancelled'].includes(plan.payload.status)
const questionsIn = ({ waiting }: Standing) => waiting.filter(({ ask }) => ask !== undefined)

async function untilNews(harness: Harness, planId: string, waitMs: number): Promise<void> {
  const before = await harness.status(planId)
  const known = new Set(questionsIn(before).map(questionKey))
  if (isOver(before) || known.size > 0) return
  const signal = AbortSignal.timeout(waitMs)
  for await (const { isNews } of harness.follow(planId, { signal })) {
    if (!isNews) continue
    const now = await harness.status(planId)
    if (isOver(now) || questionsIn(now).length > 0) return
  }
}

function asksIn(standing: Standing): PlanLook['asks'] {
  return questionsIn(standing).flatMap(({ stepId, title, ask: first, alsoAsks = [] }) =>
    [...(first ? [first] : []), ...alsoAsks].map((ask) => ({
      step: shortId(stepId),
      title,
      text: ask.text,
      ...(ask.allowed && { allowed: ask.allowed }),
      mayAnswer: ask.mayAnswer === 'anyone',
      ...(ask !== first && { question: ask.questionId }),
    })),
  )
}

function questionKey({ stepId, ask }: Waiting): string {
  return `${stepId} ${ask?.questionId}`
}

function glance(standing: Standing): PlanGlance {
  const { plan, steps } = standing
  return {
    plan: shortId(plan.id),
    goal: plan.payload.goal,
    status: plan.payload.status,
    paused: plan.payload.paused === true,
    done: steps['done'] ?? 0,
    steps: Object.values(steps).reduce((sum, count) => sum + count, 0),
    questions: asksIn(standing).length,
  }
}

async function lookAt(harness: Harness, planId: string): Promise<PlanLook> {
  const standing = await harness.status(planId)
  const steps = await harness.steps(planId)
  return {
    ...glance(standing),
    workers: standing.served.length,
    asks: asksIn(standing),
    stepsNow: steps.map(({ id, payload: { title, status, result, errorMessage } }) => {
      const said = status === 'done' ? resultText(result) : errorMessage
      return { step: shortId(id), title, status, ...(said !== undefined && { said }) }
    }),
  }
}

/** What an agent said, or the result as JSON. */
function resultText(result: Readonly<Record<string, unknown>> | undefined): string | undefined {
  if (result === undefined || Object.keys(result).length === 0) return undefined
  // Functions, and steps that a plan file controls, wrap what they give.
  const inner: unknown = result['value'] ?? result
  const fields: object = typeof inner === 'object' && inner !== null ? inner : { output: inner }
  const said: unknown = ['text', 'answer', 'stdout', 'output'].map((field) => Reflect.get(fields, field)).find(Boolean)
  return typeof said === 'string' ? said : JSON.stringify(said ?? inner)
}

type Change = PlanChange & { readonly planId: string; readonly stepId: string | undefined; readonly by: string }

async function changed(harness: Harness, change: Change): Promise<string> {
  const { planId, stepId, reason, by: actor } = change
  const signed = { actor, ...(reason !== undefined && { reason }) }
  const { paused, actor: pausedBy } = (await harness.plan(planId)).payload
  switch (change.do) {
    case 'answer':
      return answered(harness, change, signed)
    case 'pause':
      // Signing it again would make the pause of a person the agent's own.
      if (paused === true) return `${shortId(planId)} was paused before.`
      await harness.pausePlan(planId, signed)
      return `Paused ${shortId(planId)}. Running steps are notified.`
    case 'resume':
      if (paused !== true) return `${shortId(planId)} was not paused.`
      if (!isAgent(pausedBy))
        throw new McpServerError(
          'PERSON_NEEDED',
          `a person paused ${shortId(planId)}, so a person resumes it. Ask the user to run: agentm resume ${shortId(planId)}`,
        )
      await harness.resumePlan(planId, signed)
      return `Resumed ${shortId(planId)}.`
    case 'cancel':
      return `${shortId(planId)} is ${await harness.cancelPlan(planId, signed)}.`
    default:
      if (stepId === undefined)
        throw new McpServerError('INVALID_INPUT', 'plan_change: retry takes a step, as plan_status shows it.')
      await harness.retryStep(stepId, signed)
      return `${shortId(stepId)} is tried again.`
  }
}

interface Signed {
  readonly actor: string
  readonly reason?: string
}

async function answered(harness: Harness, change: Change, signed: Signed): Promise<string> {
  const { planId, stepId, answer: value, question } = change
  if (value === undefined)
    throw new McpServerError('INVALID_INPUT', 'plan_change: answer takes the text of the answer.')
  const waiting = await harness.waiting(planId)
  const asked = waiting.filter((step) => step.ask !== undefined && (stepId === undefined || step.stepId === stepId))
  const [only, ...others] = asked
  if (only?.ask === undefined)
    throw new McpServerError('INVALID_INPUT', 'plan_change: it asks nothing now. See plan_status.')
  if (others.length > 0)
    throw new McpServerError(
      'INVALID_INPUT',
      `plan_change: ${asked.length} steps ask. Name one: ${asked.map((each) => shortId(each.stepId)).join(', ')}`,
    )
  const questionId = question ?? only.ask.questionId
  const { accepted, answer } = await harness.answer(only.stepId, { questionId, value, by: 'agent', ...signed })
  return accepted
    ? `Answered ${JSON.stringify(value)}.`
    : `${answer.actor} answered ${JSON.stringify(answer.value)} before, and the first answer counts.`
}

/** Actors of hosts begin like this; see `actorOf`. */
function isAgent(actor: unknown): boolean {
  return typeof actor === 'string' && actor.startsWith('agent:')
}
