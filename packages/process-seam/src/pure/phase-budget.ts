/** The token budget of a phase, if the environment sets it: `HARNESS_RECALL_BUDGET_<PHASE>`. */
export interface PhaseBudget {
  readonly tokens?: number
  /** What is wrong with the variable. An invalid variable is ignored. */
  readonly problem?: string
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * How many tokens a phase may recall, from the variable `HARNESS_RECALL_BUDGET_<PHASE>`.
 *
 * @example
 * ```ts
 * import { phaseBudget } from '@agentm/process-seam'
 *
 * const budget = phaseBudget('review', { HARNESS_RECALL_BUDGET_REVIEW: '800' })
 * ```
 */
export function phaseBudget(phase: string, env: Env): PhaseBudget {
  const name = `HARNESS_RECALL_BUDGET_${phase.toUpperCase()}`
  const said = env[name]?.trim()
  if (said === undefined || said === '') return {}
  if (/^\+?0*[1-9]\d{0,8}$/.test(said)) return { tokens: Number(said) }
  return { problem: `${name} is ${JSON.stringify(said)}, which is not a number of tokens above 0. It is not used.` }
}
