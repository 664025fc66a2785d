// @ts-check
/** A small real model in the process of a test: it says what its script says, and refuses a conversation no provider would take. */

/** @typedef {import('@agentm/agent-loop').Message} Message */
/** @typedef {import('@agentm/agent-loop').ModelReply} ModelReply */
/** @typedef {import('@agentm/agent-loop').ModelRequest} ModelRequest */
/** @typedef {ModelReply | Error | ((request: ModelRequest) => ModelReply | Promise<ModelReply>)} Line */
/** @typedef {import('@agentm/agent-loop').Model & { readonly requests: ModelRequest[] }} ScriptedModel */

/**
 * Says the lines in order; the last one again and again.
 * @param {...Line} lines
 * @returns {ScriptedModel}
 */
export function scriptedModel(...lines) {
  /** @type {ModelRequest[]} */
  const requests = []
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

/**
 * @param {...(readonly [tool: string, args?: unknown])} made
 * @returns {ModelReply}
 */
export function calls(...made) {
  return {
    calls: made.map(([tool, args]) => ({
      id: `id-${++ids}`,
      tool,
      args: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
    })),
    usage: { inputTokens: 10, outputTokens: 5 },
  }
}

/**
 * A result without its call, or a call that nothing answers before the next turn.
 * @param {readonly Message[]} messages
 * @returns {string | undefined}
 */
export function protocolProblem(messages) {
  /** @type {Set<string>} */
  let open = new Set()
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

/**
 * Waits never: what it was asked to wait is kept. Time limits do not run out by themselves.
 * @returns {import('@agentm/agent-loop').LoopRuntime & { readonly waits: number[] }}
 */
export function patientRuntime() {
  /** @type {number[]} */
  const waits = []
  return {
    waits,
    async sleep(ms, signal) {
      if (ms > 10_000)
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
      waits.push(ms)
      return undefined
    },
  }
}
