/**
 * The parts of the protocol that an endpoint supports. An endpoint shows what it lacks only by an error. The field named in the
 * error is left out from then on.
 */
export interface EndpointHabits {
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens'
  readonly format: 'json_schema' | 'json_object' | 'none'
  readonly streamUsage: boolean
  readonly cacheKey: boolean
}

export const usualHabits: EndpointHabits = {
  tokenLimit: 'max_tokens',
  format: 'json_schema',
  streamUsage: true,
  cacheKey: false,
}

/** Other habits to try; `undefined` if the error is about something else. */
export function afterRefusal(
  habits: EndpointHabits,
  { status, message }: { readonly status: number; readonly message: string },
): EndpointHabits | undefined {
  if (status !== 400 && status !== 422 && status !== 501) return undefined
  if (habits.tokenLimit === 'max_tokens' && message.includes('max_completion_tokens'))
    return { ...habits, tokenLimit: 'max_completion_tokens' }
  if (habits.cacheKey && message.includes('prompt_cache_key')) return { ...habits, cacheKey: false }
  if (habits.streamUsage && /stream_options|include_usage/.test(message)) return { ...habits, streamUsage: false }
  if (habits.format !== 'none' && /response_format|json_schema|json_object/.test(message))
    return {
      ...habits,
      format: habits.format === 'json_schema' && !message.includes('json_object') ? 'json_object' : 'none',
    }
  return undefined
}
