/** A small real model: it says what its script says, and refuses a conversation no provider would take. */
import type { LoopRuntime, Message, Model, ModelReply, ModelRequest } from '../../src/inner-loop/index.ts'

export type Line = ModelReply | Error | ((request: ModelRequest) => ModelReply | Promise<ModelReply>)

export interface ScriptedModel extends Model {
  readonly requests: ModelRequest[]
}

/** Says the lines in order; the last one again and again. */
export function scriptedModel(...lines: readonly Line[]): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    requests,
    async respond(request) {
      requests.push(request)
      const problem = protocolProblem(request.messages)
      if (problem !== undefined) throw Object.assign(new Error(problem), { status: 400 })
      const line = lines[Math.min(requests.length, lines.length) - 1] ?? {}
      if (line instanceof Error) throw line
      return typeof line === 'function' ? line(request) : line
    },
  }
}

let ids = 0

export function calls(...made: readonly (readonly [tool: string, args?: unknown])[]): ModelReply {
  return {
    calls: made.map(([tool, args]) => ({
      id: `id-${++ids}`,
      tool,
      args: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
    })),
    usage: { inputTokens: 10, outputTokens: 5 },
  }
}

/** A result without its call, or a call that nothing answers before the next turn. */
export function protocolProblem(messages: readonly Message[]): string | undefined {
  let open = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.callId)) return `the result of ${message.callId} has no call`
      continue
    }
    if (open.size > 0) return `nothing answers ${[...open].join(', ')}`
    if (message.role === 'assistant') {
      open = new Set(message.calls.map(({ id }) => id))
      if (open.size < message.calls.length) return 'two calls share an id'
    }
  }
  return open.size > 0 ? `nothing answers ${[...open].join(', ')}` : undefined
}

/** Waits never: what it was asked to wait is kept. Time limits do not run out by themselves. */
export function patientRuntime(): LoopRuntime & { readonly waits: number[] } {
  const waits: number[] = []
  return {
    waits,
    async sleep(ms, signal) {
      if (ms > 10_000)
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        })
      waits.push(ms)
      return undefined
    },
  }
}
