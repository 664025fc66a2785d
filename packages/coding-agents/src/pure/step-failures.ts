/** How a step fails whose coding agent was not started, or was stopped. */
import type { StepOutcome } from '@agentm/harness'

/** Why an agent cannot start under a limit of money. */
export function unpriced(title: string, model: string | undefined): string {
  const which =
    model === undefined
      ? 'the step names no model, so its price is not known. Name it as model, and set'
      : `${model} has no price. Set`
  return `the budget of its plan limits money, ${title} does not report what it costs, and ${which} models.prices, in dollars per million tokens`
}

export function outOfBudget(limit: string): StepOutcome {
  return { end: 'failed', failure: { message: budgetText(limit), retryable: false, code: 'budget_exhausted' } }
}

export function budgetText(limit: string): string {
  return `the budget of its plan is used up: ${limit}`
}

export function refused(message: string, code?: string): StepOutcome {
  return { end: 'failed', failure: { message, retryable: false, ...(code !== undefined && { code }) } }
}

export function failed(message: string, code: string): StepOutcome {
  return { end: 'failed', failure: { message, code } }
}
