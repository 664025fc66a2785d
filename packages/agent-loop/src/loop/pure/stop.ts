/** The six ways in which a loop can stop. `stepOutcome` says what each means for the step. */
import type { StructuredToolError } from '../tool-error.ts'

export const stopReasons = [
  'respondToUser',
  'text_only',
  'budget_exhausted',
  'loop_detected',
  'hard_error',
  'max_iterations',
] as const

/** How a loop ended. Ask `stepOutcome` what that means for a step. */
export type Stop =
  /** The model called `respondToUser`. */
  | { readonly reason: 'respondToUser'; readonly text: string }
  /** The model replied without a tool call. */
  | { readonly reason: 'text_only'; readonly text: string }
  /** The next call would have exceeded the budget. */
  | { readonly reason: 'budget_exhausted'; readonly limit: string; readonly text: string }
  /** The model repeated the same call with the same result after a warning. */
  | {
      readonly reason: 'loop_detected'
      readonly tool: string
      readonly rule: 'run' | 'total' | 'polls'
      readonly times: number
      readonly text: string
    }
  /** The model failed, an effect has an unknown outcome and no person can be asked, or the loop was aborted. */
  | {
      readonly reason: 'hard_error'
      readonly source: 'model' | 'effect' | 'cancelled'
      readonly error: StructuredToolError
      readonly text: string
      /** How long the model's provider asks to wait. */
      readonly retryAfterMs?: number
      /** The provider refused because of a rate limit (429). */
      readonly isRateLimit?: true
    }
  | { readonly reason: 'max_iterations'; readonly iterations: number; readonly text: string }

export type StopReason = Stop['reason']

export type StepOutcome =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false
      readonly message: string
      readonly retryable: boolean
      readonly retryAfterMs?: number
      /** The step did not fail: it continues after `retryAfterMs`, and no retry is used up. */
      readonly isRateLimit?: true
    }

/**
 * Only an answer completes a step. Text that is left when the loop is stopped is no answer.
 *
 * @example
 * ```ts
 * import { stepOutcome } from '@agentm/agent-loop'
 *
 * console.log(stepOutcome({ reason: 'respondToUser', text: 'Paid.' }).ok) // true
 * ```
 */
export function stepOutcome(stop: Stop): StepOutcome {
  switch (stop.reason) {
    case 'respondToUser':
    case 'text_only':
      return { ok: true, text: stop.text }
    case 'hard_error':
      return {
        ok: false,
        message: stopText(stop),
        retryable: stop.error.retryable,
        ...(stop.retryAfterMs !== undefined && { retryAfterMs: stop.retryAfterMs }),
        ...(stop.isRateLimit && { isRateLimit: true }),
      }
    case 'loop_detected':
    case 'max_iterations':
      return { ok: false, message: stopText(stop), retryable: true }
    default:
      return { ok: false, message: stopText(stop), retryable: false }
  }
}

/** One line for people. */
export function stopText(stop: Stop): string {
  switch (stop.reason) {
    case 'respondToUser':
      return 'the model answered'
    case 'text_only':
      return 'the model answered without calling anything'
    case 'budget_exhausted':
      return `the budget of ${stop.limit} does not cover the next call`
    case 'loop_detected':
      return `${stop.tool} was called ${stop.times} times${stop.rule === 'run' ? ' running' : ''} with the same result`
    case 'hard_error':
      return stop.error.message
    default:
      return `no answer after ${stop.iterations} rounds`
  }
}
