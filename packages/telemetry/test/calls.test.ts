/** Model calls, tool calls and recalls. */
import type { Model, Tool } from '@agentm/agent-loop'
import { trace } from '@opentelemetry/api'
import { afterEach, describe, expect, it } from 'vitest'
import { openTelemetry } from '@agentm/telemetry'
import { keepSpans, type Kept } from './spans.ts'

let kept: Kept | undefined
afterEach(() => kept?.close())

const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const facts = { name: 'gpt-9', url: 'https://api.openai.com/v1' }
const request = {
  messages: [{ role: 'user' as const, text: `the prompt with ${secret}` }],
  tools: [],
  signal: new AbortController().signal,
  maxOutputTokens: 100,
}
function toolNamed(name: string, does: Tool['run']): Tool {
  const usual = { nature: 'pure' as const, polling: false, needsApproval: false, retry: {} }
  return { name, description: '', input: {}, ...usual, parse: (args) => args, run: does }
}

const context = { signal: request.signal, key: 'k', attempt: 1 }

describe('a model', () => {
  const model: Model = {
    costMicrosOf: ({ inputTokens, outputTokens }) => inputTokens + 10 * outputTokens,
    respond: async () => ({ text: 'the reply', usage: { inputTokens: 5, outputTokens: 2 } }),
  }

  it('reports tokens and cost, and no text', async () => {
    kept = keepSpans()
    const observed = kept.telemetry.model(model, facts)
    expect(observed.costMicrosOf?.({ inputTokens: 1, outputTokens: 1 })).toBe(11)
    expect((await observed.respond(request)).text).toBe('the reply')
    const [chat] = kept.named('chat gpt-9')
    expect(chat?.kind).toBe(2)
    expect(chat?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-9',
      'gen_ai.request.max_tokens': 100,
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 2,
      'server.address': 'api.openai.com',
      'server.port': 443,
      'agentm.cost.usd': 0.000025,
    })
  })

  it('masks secrets in texts that are asked for', async () => {
    kept = keepSpans({ content: true })
    await kept.telemetry.model(model, facts).respond(request)
    const input = String(kept.named('chat gpt-9')[0]?.attributes['gen_ai.input.messages'])
    expect(input).toContain('the prompt with')
    expect(input).not.toContain(secret)
  })

  it('reports an error by its word, and throws it on', async () => {
    kept = keepSpans()
    const error = Object.assign(new Error('the prompt came back'), { code: 'MODEL_FAILED', status: 429 })
    const broken = kept.telemetry.model({ respond: () => Promise.reject(error) }, facts)
    await expect(broken.respond(request)).rejects.toBe(error)
    const [chat] = kept.named('chat gpt-9')
    expect(chat?.status).toEqual({ code: 2 })
    expect(chat?.attributes['error.type']).toBe('429')
    expect(JSON.stringify(chat?.events)).not.toContain('prompt')
  })
})

describe('a tool', () => {
  const tool = toolNamed('count', async () => {
    trace.getTracer('other').startSpan('inside').end()
    return { text: 'secret result', failed: true }
  })

  it('reports a call that failed, and what happens inside of it', async () => {
    kept = keepSpans()
    const [observed] = kept.telemetry.tools([tool])
    expect(await observed?.run({ words: 'secret argument' }, context)).toEqual({ text: 'secret result', failed: true })
    const [call] = kept.named('execute_tool count')
    expect(call?.attributes).toMatchObject({ 'gen_ai.tool.name': 'count', 'error.type': 'tool_failed' })
    expect(JSON.stringify([call?.attributes, call?.events])).not.toContain('secret')
    expect(kept.named('inside')).toHaveLength(1)
  })
})

it('measures without a collector', async () => {
  const telemetry = await openTelemetry({ env: {}, pull: true })
  const [observed] = telemetry?.tools([toolNamed('look', async () => 'x')]) ?? []
  await observed?.run({}, context)
  await observed?.run({}, context)
  const text = await telemetry?.metricsText()
  await telemetry?.close()
  expect(text).toContain('agentm_tool_duration_seconds_count{gen_ai_tool_name="look"} 2')
})

it('loads nothing where nothing is asked for', async () => {
  expect(await openTelemetry({ env: {} })).toBeUndefined()
})
