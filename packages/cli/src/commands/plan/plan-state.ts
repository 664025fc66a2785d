/** The state of a plan, with commands as a person can type them here. */
import {
  latestPlanStates as latestStates,
  openPlanStates as openStates,
  planState as stateOf,
  type PlanSource,
  type PlanState,
} from '@agentm/workspace/health'
import { typed } from '../../typed.ts'

export type { FailedRow, PlanSource, PlanState, Todo, WaitingRow } from '@agentm/workspace/health'

export async function openPlanStates(source: PlanSource): Promise<readonly PlanState[]> {
  return (await openStates(source)).map(typable)
}

export async function planState(source: PlanSource, planId: string): Promise<PlanState> {
  return typable(await stateOf(source, planId))
}

/** The newest plans first, including those that have ended. */
export async function latestPlanStates(source: PlanSource, newest: number): Promise<readonly PlanState[]> {
  return (await latestStates(source, newest)).map(typable)
}

function typable(state: PlanState): PlanState {
  return {
    ...withTypable(state),
    waiting: state.waiting.map(withTypable),
    failed: state.failed.map((row) => ({ ...row, help: typed(row.help) })),
  }
}

function withTypable<T extends { readonly help?: string }>(row: T): T {
  return row.help === undefined ? row : { ...row, help: typed(row.help) }
}
