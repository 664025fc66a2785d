/** How a step ends whose coding agent has ended: from what was heard of it, and from how its program ended. */
import type { StepOutcome } from '@agentm/harness'
import type { ClientEvent } from './client-event.ts'

/** What was heard until now, as far as it decides how the step ends. */
export interface Heard {
  /** The agent has ended its work, whether it answered or not. */
  readonly isAtEnd: boolean
  readonly answer: { readonly text: string | undefined } | undefined
  readonly limit: Omit<ClientEvent & { readonly is: 'limit' }, 'is'> | undefined
  readonly fault: Omit<ClientEvent & { readonly is: 'fault' }, 'is'> | undefined
  readonly isSessionAbsent: boolean
  /** What it said at its start, if its tools fail until it is started again. */
  readonly notReady: string | undefined
}

export const nothingHeard: Heard = {
  isAtEnd: false,
  answer: undefined,
  limit: undefined,
  fault: undefined,
  isSessionAbsent: false,
  notReady: undefined,
}

export interface Ended {
  /** Why the program ended, unless it ended with 0. */
  readonly end: { readonly message: string; readonly code?: string } | undefined
  readonly now: number
  readonly title: string
  readonly record: {
    result(text: string | undefined): Readonly<Record<string, unknown>>
    /** The tools that were refused, if none was allowed. */
    readonly onlyRefused: readonly string[]
  }
}

export function outcomeOf(heard: Heard, { end, now, title, record }: Ended): StepOutcome {
  const { answer, limit, fault } = heard
  // A limit that was met, but not the end of the work, does not matter any more.
  if (limit !== undefined && answer === undefined) return limitWait(limit, now)
  if (fault !== undefined && (answer === undefined || fault.code !== undefined))
    return failure(`${title} stopped: ${fault.message}`, {
      code: fault.code ?? 'CLIENT_FAILED',
      retryable: fault.code === undefined,
    })
  if (end !== undefined)
    return failure(end.message, { code: end.code ?? 'CLIENT_FAILED', retryable: end.code === undefined })
  if (answer === undefined)
    return failure(`${title} ended without an answer`, { code: 'CLIENT_FAILED', retryable: true })
  const { onlyRefused } = record
  if (onlyRefused.length > 0)
    return failure(
      `the step did nothing, because its calls of ${onlyRefused.join(', ')} were refused. Allow them with tools.files and tools.shell.allow, or give the step another task`,
      { code: 'REFUSED_TOOLS', retryable: false },
    )
  return { end: 'done', result: record.result(answer.text) }
}

function failure(
  message: string,
  { code, retryable }: { readonly code: string; readonly retryable: boolean },
): StepOutcome {
  return { end: 'failed', failure: { message, code, ...(!retryable && { retryable }) } }
}

/** The step gives up its slot until the limit ends. It uses up no retry. */
function limitWait({ message, until }: NonNullable<Heard['limit']>, now: number): StepOutcome {
  const unknown = now + (isUsageLimit.test(message) ? longWaitMs : shortWaitMs)
  return {
    end: 'waits',
    waitsFor: { for: 'rate-limit', until: Math.max(until ?? unknown, now + shortestWaitMs), message },
  }
}

/** Of an account, for hours; not of requests in a minute. */
const isUsageLimit = /usage limit|quota|hit your|daily|weekly|session limit/i
const longWaitMs = 15 * 60_000
const shortWaitMs = 60_000
const shortestWaitMs = 1000
