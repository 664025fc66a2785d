import type { ClientEvent, Reading } from './client-event.ts'
import { isLimitMessage, limitEnd } from './limit-end.ts'

/** A message of an error: a usage limit with its end, or a fault. */
export function limitOrFault(message: string, reading: Reading): ClientEvent {
  if (!isLimitMessage(message)) return { is: 'fault', message }
  const until = limitEnd(message, reading)
  return { is: 'limit', message, ...(until !== undefined && { until }) }
}
