/**
 * Turns a goal into a plan for agents. The plan, its steps, their agents, the changes of the roster and the reasons are written in
 * one append: a reader sees all of it or nothing.
 */
import type { MediaPart } from '@agentm/agent-loop/internal'
import { type Draft, type Embedder, scanAll } from '@agentm/nodes'
import {
  type Budget,
  type HarnessContext,
  InvalidPlanError,
  isPlanOver,
  type NewCheck,
  type NewObservation,
  type NewStep,
  type PlanHead,
  type PlanTrees,
} from '@agentm/harness'
import {
  agentName,
  asAgent,
  endingOf,
  observationName,
  type PlanContent,
  planDrafts,
  planDrawn,
  readPlan,
  untilUncontested,
} from '@agentm/harness/planning'
import type { Model } from '@agentm/agent-loop'
import { assignSteps, type Assignments } from './assign-steps.ts'
import { decomposeGoal, type Decomposed, type RecallForGoal } from './decompose-goal.ts'
import { earlierPlan } from './earlier-plan.ts'
import { openFitter } from './fitter.ts'
import { goalChain } from './goal-chain.ts'
import { filesOfPlan, namesOf } from './goal-files.ts'
import type { ToolFacts } from './pure/granted-tools.ts'
import { type Lacking, lackingTools } from './pure/lacking-tools.ts'
import { budgetLeft } from './pure/budget-left.ts'

/** Options of `openPlanner`. */
export interface PlannerOptions extends HarnessContext {
  /** Divides goals into steps. Without a model, every goal is a single step. */
  readonly model?: Model
  /** Compares agents with steps. Without an embedder, words are compared. */
  readonly embedder?: Embedder
  /** Finds earlier knowledge, which the model gets as data. */
  readonly recall?: RecallForGoal
  /** The tools agents can be given here. */
  readonly tools: readonly ToolFacts[]
  /** The retry policy of its steps. */
  readonly retry?: NewStep['retry']
}

/** The goal, its project and its budget. */
export interface GoalRequest {
  readonly goal: string
  /** The project it belongs to (default: `_global`). */
  readonly partition?: string
  readonly budget?: Budget
  /** Where its steps work (default: the working folder). A plan that continues a goal keeps what the earlier one has. */
  readonly trees?: PlanTrees
  /** What must pass before the plan is done. It is kept when the goal is replanned. */
  readonly check?: NewCheck
  /** Pictures and documents that its agents are shown. They are kept when the goal is replanned. */
  readonly files?: readonly MediaPart[]
  /** Called before a new plan is written, with what each step would get. Nothing is written if it throws. */
  readonly review?: (steps: readonly AssignedStep[]) => void
  readonly signal?: AbortSignal
}

/** A step that is about to be planned, with what its agent lacks. */
export interface AssignedStep {
  readonly title: string
  readonly role: string
  readonly lacking: Lacking
}

/** The plan for a goal, and whether it is new. */
export interface PlannedGoal {
  readonly planId: string
  /** False if a plan for this goal has not ended: that plan is continued. */
  readonly created: boolean
  /** How often the goal was replanned so far. */
  readonly revision: number
  /** The earlier plan for the same goal. */
  readonly follows: string | undefined
}

/** Turns goals into plans. */
export interface Planner {
  /** Returns a new plan, or the unfinished plan for this goal. */
  plan(request: GoalRequest): Promise<PlannedGoal>
  /**
   * Replaces a plan that makes no progress. The old plan ends in the same append, and the new plan gets the rest of its budget;
   * `undefined` if no budget is left. If another process already replanned the goal, its plan is returned.
   */
  replan(planId: string, because: Because): Promise<PlannedGoal | undefined>
}

export interface Because {
  readonly why: string
  /** The facts that the reason is based on. */
  readonly facts?: Readonly<Record<string, unknown>>
  readonly signal?: AbortSignal
}

const globalPartition = '_global'

/**
 * Opens a planner: it turns a goal into a plan that agents carry out. Without a model every goal is one step.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts } from '@agentm/harness'
 * import { openPlanner } from '@agentm/planner'
 *
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * const planner = openPlanner({ store, owner: 'ada', actor: 'docs', tools: [] })
 * const { created, revision } = await planner.plan({ goal: 'Write the parser' })
 * console.log(created, revision) // true 0
 * ```
 */
export function openPlanner(options: PlannerOptions): Planner {
  return {
    plan: (request) => planGoal(options, request),
    replan: (planId, because) => replanGoal(options, planId, because),
  }
}

async function planGoal(options: PlannerOptions, request: GoalRequest): Promise<PlannedGoal> {
  const { partition = globalPartition, budget, trees, check, review } = request
  const { signal = new AbortController().signal } = request
  const goal = request.goal.trim()
  if (goal === '') throw new InvalidPlanError(['the goal is empty. Say what is wanted'])
  const before = await goalChain(options, { goal, partition })
  if (before.newest !== undefined && !isPlanOver(before.newest.payload.status)) return continued(before.newest)
  const earlier =
    before.newest?.payload.status === 'failed'
      ? await earlierPlan(options, before.newest, before.newest.payload.errorMessage ?? 'it failed')
      : undefined
  const files = request.files ?? (before.newest === undefined ? [] : await filesOfPlan(options, before.newest.id))
  const decomposed = await decomposeGoal(goal, { ...options, partition, earlier, signal, files: namesOf(files) })
  return untilUncontested(async () => {
    const { newest, nextId } = await goalChain(options, { goal, partition })
    if (newest !== undefined && !isPlanOver(newest.payload.status)) return continued(newest)
    return append(options, {
      partition,
      decomposed,
      files,
      ...(review && { review }),
      content: {
        id: nextId,
        goal,
        ...(budget && { budget }),
        ...(trees && { trees: onTopOf(newest, trees) }),
        ...(check && { check }),
        ...(newest && { follows: newest.id }),
      },
    })
  })
}

async function replanGoal(
  options: PlannerOptions,
  planId: string,
  { why, facts, signal = new AbortController().signal }: Because,
): Promise<PlannedGoal | undefined> {
  const stale = await readPlan(options, planId)
  const { goal } = stale.payload
  const { partition } = stale
  // Checked before the model is asked, because without budget its answer could not be used.
  if ((await leftOf(options, stale)) === 'nothing') return undefined
  const earlier = await earlierPlan(options, stale, why)
  const files = await filesOfPlan(options, stale.id)
  const decomposed = await decomposeGoal(goal, { ...options, partition, earlier, signal, files: namesOf(files) })
  return untilUncontested(async () => {
    const { newest, nextId } = await goalChain(options, { goal, partition })
    // Another process already replanned the goal.
    if (newest !== undefined && newest.id !== stale.id) return continued(newest)
    const old = await readPlan(options, stale.id)
    const budget = await leftOf(options, old)
    if (budget === 'nothing') return undefined
    const { trees, check } = old.payload
    const revision = (old.payload.revision ?? 0) + 1
    const ending = isPlanOver(old.payload.status)
      ? { drafts: [], expects: { [old.id]: old.version } }
      : await endingOf(options, old, { status: 'cancelled', errorMessage: `planned anew: ${why}` }, { reason: why })
    return append(options, {
      partition,
      decomposed,
      files,
      before: ending,
      decisions: [replanned(why, { ...facts, follows: old.id, revision })],
      content: {
        id: nextId,
        goal,
        ...(budget && { budget }),
        ...(trees && { trees: { ...trees, after: old.id } }),
        ...(check && { check }),
        follows: old.id,
        revision,
      },
    })
  })
}

/** What a failed plan has changed is there for the next one, if both start from the same commit. */
function onTopOf(earlier: PlanHead | undefined, trees: PlanTrees): PlanTrees {
  const { status, trees: before } = earlier?.payload ?? {}
  return status === 'failed' && before?.base === trees.base && earlier !== undefined
    ? { ...trees, after: earlier.id }
    : trees
}

async function leftOf(context: HarnessContext, plan: PlanHead) {
  return budgetLeft(plan.payload.budget, await planDrawn(context, plan, { now: await context.store.work.now() }))
}

interface Composed {
  readonly partition: string
  readonly decomposed: Decomposed
  readonly files: readonly MediaPart[]
  readonly content: Omit<PlanContent, 'steps'> & { readonly id: string }
  /** Drafts that come before it in the same append. */
  readonly before?: { readonly drafts: readonly Draft[]; readonly expects: Readonly<Record<string, number>> }
  readonly decisions?: readonly NewObservation[]
  readonly review?: GoalRequest['review']
}

/** Agents before the plan that names them, decisions after the steps they are about. */
async function append(options: PlannerOptions, composed: Composed): Promise<PlannedGoal> {
  const { store, owner, actor } = options
  const { partition, decomposed, content, files, before, review, decisions = [] } = composed
  const assignments = await assigned(options, decomposed)
  review?.(
    assignments.assigned.map(({ step: { title }, agent }) => ({
      title,
      role: agent.role,
      lacking: lackingTools(agent, options.tools),
    })),
  )
  const { planId, steps, drafts } = planDrafts({ ...content, steps: stepsOf(assignments, { ...options, files }) })
  const about = (stepId: string | undefined, { kind, content: text, data }: NewObservation): Draft => ({
    concept: observationName,
    payload: { ...(stepId !== undefined && { stepId }), planId, kind, content: text, ...(data && { data }) },
    mutation: 'recordHarnessObservation',
  })
  await store.log.append(
    [
      ...(before?.drafts ?? []),
      ...assignments.drafts,
      ...drafts,
      ...decisions.map((decision) => about(undefined, decision)),
      about(undefined, decomposed.decision),
      ...assignments.assigned.map(({ step, decision }) => about(steps[step.key], decision)),
    ],
    // A person sees the plan as created, so it must survive a power loss, too.
    {
      owner,
      actor,
      partition,
      durability: 'full',
      expects: { ...before?.expects, ...assignments.expects, [planId]: 0 },
    },
  )
  return { planId, created: true, revision: content.revision ?? 0, follows: content.follows }
}

async function assigned(options: PlannerOptions, { steps }: Decomposed): Promise<Assignments> {
  const { store, owner, embedder, tools } = options
  return assignSteps(steps, {
    owner,
    roster: (await scanAll(store.log, { owner, concepts: [agentName] })).map(asAgent),
    fitter: openFitter(embedder),
    tools,
  })
}

function stepsOf(
  { assigned: steps }: Assignments,
  { retry, files }: Pick<PlannerOptions, 'retry'> & Pick<Composed, 'files'>,
): PlanContent['steps'] {
  return steps.map(({ step: { key, title, goal, dependsOn, roleHint }, agentId }) => ({
    key,
    title,
    kind: 'agent',
    dependsOn,
    assignedAgent: agentId,
    ...(retry && { retry }),
    input: { goal, ...(roleHint !== '' && { roleHint }), ...(files.length > 0 && { files }) },
  }))
}

function replanned(why: string, facts: Readonly<Record<string, unknown>>): NewObservation {
  return {
    kind: 'decision',
    content: `replan: ${why}`,
    data: {
      ...facts,
      choice: 'replan',
      rationale: why,
      alternatives: [{ choice: 'go on' }, { choice: 'give up' }],
    },
  }
}

function continued({ id, payload: { revision = 0, follows } }: PlanHead): PlannedGoal {
  return { planId: id, created: false, revision, follows }
}
