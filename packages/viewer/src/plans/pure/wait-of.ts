/** What an unfinished step waits for, from its newest version alone. */
import { type Head, redactSecrets } from '@agentm/nodes'
import type { StepWait } from '../../contract/plans.ts'
import { fieldsOf, listIn, numberIn, textIn } from '../../pure/fields.ts'

/** `workers` has the machine and process of each worker session that is alive. `asks`: it asks a person something. */
export function waitOf(step: Head, workers: ReadonlyMap<string, string>, asks = false): StepWait | undefined {
  const { status, payload, createdAt: since, remaining, held, session } = step
  switch (status) {
    case 'pending':
      return { for: 'steps', since, count: remaining }
    case 'ready':
      return held ? { for: 'resume', since } : startOf(payload, since)
    case 'running': {
      const text = workers.get(session ?? '')
      return text === undefined ? { for: 'lost', since } : { for: 'run', since, text }
    }
    case 'blocked':
      return blockedBy(fieldsOf(payload['waitsFor']), { since, asks })
    case 'failed': {
      const until = numberIn(payload, 'retryAt')
      return until === undefined ? undefined : { for: 'retry', since, until }
    }
    default:
      return undefined
  }
}

function startOf(payload: Head['payload'], since: number): StepWait {
  const until = numberIn(payload, 'startAt') ?? delayed(numberIn(payload, 'delayMs'), since)
  if (until !== undefined && payload['due'] !== true) return { for: 'time', since, until }
  const text = textIn(fieldsOf(payload['limit']), 'key') ?? textIn(fieldsOf(payload['rate']), 'key')
  return { for: 'worker', since, ...(text !== undefined && { text }) }
}

function delayed(delayMs: number | undefined, since: number): number | undefined {
  return delayMs === undefined ? undefined : since + delayMs
}

function blockedBy(
  wait: Readonly<Record<string, unknown>>,
  { since, asks }: { readonly since: number; readonly asks: boolean },
): StepWait {
  const until = numberIn(wait, 'until')
  const message = textIn(wait, 'message')
  const more = { since, ...(until !== undefined && { until }), ...(message && { text: redactSecrets(message) }) }
  switch (wait['for']) {
    case 'answer':
    case 'plan':
    case 'time':
    case 'rate-limit':
    case 'code':
    case 'resume':
      return { for: wait['for'], ...more }
    case 'function':
      // A function may wait for several things at once; what a person can do comes first.
      return asks ? { for: 'answer', ...more } : ofFunction(wait, more)
    default:
      return { for: 'steps', ...more, count: 0 }
  }
}

function ofFunction(wait: Readonly<Record<string, unknown>>, more: Omit<StepWait, 'for'>): StepWait {
  const signals = listIn(wait, 'signals')
  if (signals.length > 0) return { for: 'signal', ...more, text: signals.join(', ') }
  return { for: listIn(wait, 'plans').length > 0 ? 'plan' : 'time', ...more }
}
