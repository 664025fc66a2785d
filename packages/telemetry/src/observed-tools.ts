/** Tools whose calls are reported as `execute_tool` spans. */
import type { Tool, ToolAnswer, ToolContext } from '@agentm/agent-loop'
import { redactSecrets } from '@agentm/nodes'
import { type Attributes, SpanKind, trace } from './otel-api.ts'
import { masked } from './pure/message-texts.ts'
import { thrownFault } from './pure/thrown-fault.ts'
import { currentContext, runningIn } from './running-in.ts'
import { markFailed, type Signals } from './signals.ts'

export function observedTools(tools: readonly Tool[], signals: Signals): readonly Tool[] {
  return tools.map((tool) => ({ ...tool, run: async (args, context) => reported(tool, { args, context, signals }) }))
}

interface Called {
  readonly args: unknown
  readonly context: ToolContext
  readonly signals: Signals
}

async function reported(tool: Tool, { args, context, signals }: Called): Promise<ToolAnswer> {
  const { tracer, instruments, content } = signals
  const attributes: Attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'gen_ai.tool.type': 'function',
    'agentm.tool.nature': tool.nature,
    'agentm.tool.attempt': context.attempt,
    ...(content && { 'gen_ai.tool.call.arguments': masked(args) }),
  }
  const above = currentContext()
  const span = tracer.startSpan(`execute_tool ${tool.name}`, { kind: SpanKind.INTERNAL, attributes }, above)
  const labels: Record<string, string> = { 'gen_ai.tool.name': tool.name }
  const since = performance.now()
  try {
    const answer = await runningIn(trace.setSpan(above, span), () => tool.run(args, context))
    const { text, failed = false } = typeof answer === 'string' ? { text: answer } : answer
    if (content) span.setAttribute('gen_ai.tool.call.result', redactSecrets(text))
    if (failed) {
      labels['error.type'] = 'tool_failed'
      markFailed(span, { type: 'tool_failed', message: content ? text : undefined })
    }
    return answer
  } catch (error) {
    const fault = thrownFault(error, content)
    labels['error.type'] = fault.type
    markFailed(span, fault)
    throw error
  } finally {
    instruments.tools((performance.now() - since) / 1000, labels)
    span.end()
  }
}
