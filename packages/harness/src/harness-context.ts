import type { Head, Node, NodeStore, OwnerOption } from '@agentm/nodes'
import { AbsentNodeError, composeId, isNodesError } from '@agentm/nodes'
import { plan, type Plan } from './plan.ts'
import { step, type Step } from './step.ts'

/** The owner of the data, and the component that works on it. */
export interface Who extends OwnerOption {
  /** Stored as `createdBy`. */
  readonly actor: string
}

/** The store, the owner and the actor that functions over plans need. */
export interface HarnessContext extends Who {
  readonly store: Pick<NodeStore, 'log' | 'work'>
}

/** The newest version of a plan. */
export type PlanHead = Head<Plan>
/** The newest version of a step. */
export type StepHead = Head<Step>

export const planIdOf = (id: string): string => composeId(plan.name, id)
export const stepIdOf = (id: string): string => composeId(step.name, id)

/** The cast is safe because the schema of the concept checked the content when it was written. */
export function asPlan(node: Head): PlanHead
export function asPlan(node: Node): Node<Plan>
export function asPlan(node: Node): Node<Plan> {
  return node as Node<Plan>
}

export function asStep(node: Head): StepHead
export function asStep(node: Node): Node<Step>
export function asStep(node: Node): Node<Step> {
  return node as Node<Step>
}

export async function readPlan({ store, owner }: HarnessContext, id: string): Promise<PlanHead> {
  const head = await store.log.latest(planIdOf(id), { owner })
  if (head === undefined) throw new AbsentNodeError(planIdOf(id))
  return asPlan(head)
}

export async function readStep({ store, owner }: HarnessContext, id: string): Promise<StepHead> {
  const head = await store.log.latest(stepIdOf(id), { owner })
  if (head === undefined) throw new AbsentNodeError(stepIdOf(id))
  return asStep(head)
}

const patience = 50

/** Repeats the attempt as long as other processes write in between. */
export async function untilUncontested<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = patience; ; left--)
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isNodesError(error, 'VERSION_CONFLICT')) throw error
    }
}
