import { redactSecrets, redactValue } from '@agentm/nodes'
import { attemptCall } from './attempt-call.ts'
import type { CallEnd, CallWorld, ReadyCall } from './call-world.ts'
import { type Classified, errorText, structuredError } from './pure/classify-error.ts'
import type { StructuredToolError } from './tool-error.ts'

/** Makes the call and returns how it ended. The caller decides what is stored. */
export async function runTool(
  { tool, args, call: { key } }: ReadyCall,
  world: CallWorld,
  mayRepeat?: (error: Classified) => boolean,
): Promise<CallEnd & { readonly mayHaveHappened?: boolean }> {
  const run = async (signal: AbortSignal, attempt: number) =>
    tool.run(args, { signal, key, attempt, earlier: world.earlier(), loop: world.loop })
  const attempted = await attemptCall(run, {
    policy: { ...world.retry, ...tool.retry },
    runtime: world.runtime,
    signal: world.signal,
    ...(mayRepeat !== undefined && { mayRepeat }),
  })
  if (!attempted.ok) return { ...failedCall(attempted.error, true), mayHaveHappened: attempted.error.mayHaveHappened }
  const { value, attempts } = attempted
  const { text: said, failed = false, record, parts } = typeof value === 'string' ? { text: value } : value
  // The model sees no secret either. So it can repeat none, and none leaves this machine with the next request.
  const text = redactSecrets(said)
  if (!failed)
    return {
      end: 'answered',
      text,
      ran: true,
      attempts,
      ...(record !== undefined && { record: redactSecrets(record) }),
      ...(parts !== undefined && { parts }),
    }
  const error = structuredError('internal', text, attempts)
  return { end: 'failed', text, error: { ...error, retryable: false }, ran: true, mayHaveHappened: false }
}

export function failedCall(error: StructuredToolError, ran: boolean): CallEnd & { readonly end: 'failed' } {
  const { type, retryable, userFixable, attempts } = error
  const message = redactSecrets(error.message)
  const details = error.details && redactValue(error.details)
  const shown = { type, message, retryable, userFixable, ...(attempts && { attempts }), ...(details && { details }) }
  return { end: 'failed', text: errorText(shown), error: shown, ran }
}
