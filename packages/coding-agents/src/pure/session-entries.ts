/**
 * What a line of a session file says was used. The entry with the same key replaces the one before; the sum of all is what the session
 * has used.
 */
import type { ClientUsage, TokenCount } from './client-event.ts'
import { countOf, type Fields, fieldsOf, microsOf, textOf } from './fields.ts'

export type SessionEntry = readonly [key: string, used: ClientUsage]
export type ReadEntry = (line: Fields) => SessionEntry | undefined

/** What it writes when it ends by itself, of version 2.1.328: its figures of the next run begin with this. */
export const claudeCodeEntry: ReadEntry = (line) => {
  if (line['type'] !== 'cost-state') return undefined
  const costMicros = microsOf(line['totalCostUSD'])
  const models = Object.values(fieldsOf(line['modelUsage'])).map((model) => claudeCodeModelTokens(fieldsOf(model)))
  return ['all', { tokens: models.reduce(sumOf, noTokens), ...(costMicros !== undefined && { costMicros }) }]
}

/** The total after each reply, of version 0.169.0. */
export const codexEntry: ReadEntry = ({ type, payload }) => {
  if (type !== 'token_usage_record') return undefined
  const used = fieldsOf(fieldsOf(payload)['thread_token_usage'])
  return ['all', { tokens: codexTokens(used) }]
}

/** Each reply, of version 0.61.0. It is written again when the results of its calls are known. */
export const geminiEntry: ReadEntry = ({ type, id, tokens }) => {
  if (type !== 'gemini' || tokens === undefined) return undefined
  const { input, cached, output, total } = fieldsOf(tokens)
  return [
    textOf(id),
    {
      tokens: {
        input: countOf(input),
        cached: countOf(cached),
        output: Math.max(countOf(output), countOf(total) - countOf(input)),
      },
    },
  ]
}

export function sumOfUsages(all: Iterable<ClientUsage>): ClientUsage {
  return [...all].reduce(
    (sum, each) => {
      const costMicros = (sum.costMicros ?? 0) + (each.costMicros ?? 0)
      return { tokens: sumOf(sum.tokens, each.tokens), ...(costMicros > 0 && { costMicros }) }
    },
    { tokens: noTokens },
  )
}

/** The figures of one model, in a result and in a session file. */
export function claudeCodeModelTokens(model: Fields): TokenCount {
  const cached = countOf(model['cacheReadInputTokens'])
  const input = countOf(model['inputTokens']) + countOf(model['cacheCreationInputTokens']) + cached
  return { input, cached, output: countOf(model['outputTokens']) }
}

export function codexTokens(usage: Fields): TokenCount {
  const input = countOf(usage['input_tokens'])
  return { input, cached: countOf(usage['cached_input_tokens']), output: countOf(usage['output_tokens']) }
}

export function sumOf(a: TokenCount, b: TokenCount): TokenCount {
  return { input: a.input + b.input, cached: a.cached + b.cached, output: a.output + b.output }
}

const noTokens: TokenCount = { input: 0, cached: 0, output: 0 }
