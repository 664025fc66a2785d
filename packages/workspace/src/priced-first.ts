/**
 * A worker whose model has no price starts no step of a plan that limits money and has work for agents: also not the command before the
 * agent, because the plan could not be finished within its limit.
 */
import type { StepHead, StepKind, StepOutcome, StepRun } from '@agentm/harness'
import { needsPrices } from '@agentm/harness/control'
import { scanAll } from '@agentm/nodes'
import type { ConfiguredModel } from './configured-model.ts'
import { UnpricedModelError } from './configured-model.ts'

export function pricedFirst(kind: StepKind, configured: ConfiguredModel | undefined): StepKind {
  if (configured === undefined || configured.model.costMicrosOf !== undefined) return kind
  return { ...kind, run: async (run) => (await refused(run, configured.name)) ?? kind.run(run) }
}

async function refused(run: StepRun, model: string): Promise<StepOutcome | undefined> {
  if (!(await run.budget.limitsMoney()) || !(await hasAgents(run))) return undefined
  const { message, code } = new UnpricedModelError(model)
  return { end: 'failed', failure: { message, code, retryable: false } }
}

async function hasAgents({ log, owner, planId }: StepRun): Promise<boolean> {
  const heads = await scanAll(log, { owner, parent: planId, concepts: ['v1:harness:step'] })
  const steps = heads.flatMap((head) => (head.redacted ? [] : [(head as StepHead).payload]))
  const named = steps.map(({ title, kind, input }) => ({
    key: title,
    title,
    ...(kind && { kind }),
    ...(input && { input }),
  }))
  return needsPrices({ steps: named, budget: { maxCostMicros: 1 } })
}
