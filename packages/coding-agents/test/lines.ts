/** Lines as the coding agents print them, reduced to the fields that are read. */
type Line = Readonly<Record<string, unknown>>

export const claude = {
  init: (id = 'c-1'): Line => ({ type: 'system', subtype: 'init', session_id: id }),
  says: (text: string, { id = 'm1', tokens = [100, 20] } = {}): Line => reply(id, [{ type: 'text', text }], tokens),
  calls: (tool: string, input: object, { id = 'm1', call = 't1', tokens = [100, 20] } = {}): Line =>
    reply(id, [{ type: 'tool_use', id: call, name: tool, input }], tokens),
  result: (text: string, { call = 't1', failed = false } = {}): Line => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: text, is_error: failed }] },
  }),
  done: (text: string, { input = 100, output = 20, dollars = 0.0008 } = {}): Line => ({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: text,
    total_cost_usd: dollars,
    modelUsage: {
      opus: { inputTokens: input, outputTokens: output, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
    },
  }),
}

function reply(id: string, content: readonly object[], [input, output]: readonly number[]): Line {
  const usage = {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  }
  return { type: 'assistant', message: { id, content, usage } }
}

export const codex = {
  init: (id = 'x-1'): Line => ({ type: 'thread.started', thread_id: id }),
  says: (text: string): Line => ({ type: 'item.completed', item: { id: 'i1', type: 'agent_message', text } }),
  done: (input: number, output: number, cached = 0): Line => ({
    type: 'turn.completed',
    usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
  }),
}

/** What the agents write into the files of their sessions, below the home directory. */
export const kept = {
  claude: (session: string, { input = 0, output = 0, dollars = 0 }): Line => ({
    file: `.claude/projects/-work/${session}.jsonl`,
    line: {
      type: 'cost-state',
      totalCostUSD: dollars,
      modelUsage: {
        opus: { inputTokens: input, outputTokens: output, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
      },
    },
  }),
  codex: (session: string, input: number, output: number): Line => ({
    file: `.codex/sessions/2026/11/20/rollout-2026-11-20T04-08-47-${session}.jsonl`,
    line: {
      type: 'token_usage_record',
      payload: { thread_token_usage: { input_tokens: input, cached_input_tokens: 0, output_tokens: output } },
    },
  }),
  gemini: (session: string, id: string, input: number, output: number): Line => ({
    file: `.gemini/tmp/work/chats/session-2026-11-20T04-08-${session.slice(0, 8)}.jsonl`,
    line: { id, type: 'gemini', content: '', tokens: { input, output, cached: 0, thoughts: 0, total: input + output } },
  }),
}
