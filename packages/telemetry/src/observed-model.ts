/** A model whose calls are reported as `chat` spans, with their tokens, by the GenAI conventions. */
import type { Model, ModelReply, ModelRequest, TokenUsage } from '@agentm/agent-loop'
import { type Attributes, SpanKind, trace } from './otel-api.ts'
import { inputMessages, outputMessages } from './pure/message-texts.ts'
import { type ModelFacts, providerOf, serverOf } from './pure/provider-of.ts'
import { thrownFault } from './pure/thrown-fault.ts'
import { currentContext, runningIn } from './running-in.ts'
import { markFailed, type Signals } from './signals.ts'

export function observedModel(model: Model, facts: ModelFacts, signals: Signals): Model {
  const { name, url } = facts
  const server = serverOf(url)
  const provider = providerOf(facts)
  signals.providers.add(provider)
  const common: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': name,
    ...(server !== undefined && { 'server.address': server.address, 'server.port': server.port }),
  }
  return {
    ...model,
    ...(model.costMicrosOf !== undefined && { costMicrosOf: model.costMicrosOf.bind(model) }),
    respond: async (request) => reported(model, request, { name, common, signals }),
  }
}

interface Reporting {
  readonly name: string
  readonly common: Attributes
  readonly signals: Signals
}

async function reported(
  model: Model,
  request: ModelRequest,
  { name, common, signals }: Reporting,
): Promise<ModelReply> {
  const { tracer, instruments, content } = signals
  const attributes: Attributes = {
    ...common,
    'gen_ai.request.max_tokens': request.maxOutputTokens,
    ...(request.onText !== undefined && { 'gen_ai.request.stream': true }),
    ...(content && { 'gen_ai.input.messages': inputMessages(request.messages) }),
  }
  const above = currentContext()
  const span = tracer.startSpan(`chat ${name}`, { kind: SpanKind.CLIENT, attributes }, above)
  const since = performance.now()
  const labels: Record<string, string | number> = Object.fromEntries(
    Object.entries(common).flatMap(([key, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[key, value]] : [],
    ),
  )
  try {
    const reply = await runningIn(trace.setSpan(above, span), () => model.respond(request))
    const { usage } = reply
    if (usage !== undefined) {
      span.setAttributes(usageAttributes(usage, model))
      instruments.modelTokens(usage.inputTokens, { ...labels, 'gen_ai.token.type': 'input' })
      instruments.modelTokens(usage.outputTokens, { ...labels, 'gen_ai.token.type': 'output' })
    }
    if (content) span.setAttribute('gen_ai.output.messages', outputMessages(reply))
    return reply
  } catch (error) {
    const fault = thrownFault(error, content)
    labels['error.type'] = fault.type
    markFailed(span, fault)
    throw error
  } finally {
    instruments.modelCalls((performance.now() - since) / 1000, labels)
    span.end()
  }
}

function usageAttributes(usage: TokenUsage, model: Model): Attributes {
  const costMicros = usage.costMicros ?? model.costMicrosOf?.(usage)
  return {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    ...(costMicros !== undefined && { 'agentm.cost.usd': costMicros / 1e6 }),
  }
}
