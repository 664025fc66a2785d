/** The lines are those that the pinned versions printed, cut to the fields that are read. */
import { describe, expect, it } from 'vitest'
import { clockIn } from '../../src/clock-in.ts'
import { claudeCodeEvents } from '../../src/pure/claude-code-events.ts'
import { codexEvents, codexText } from '../../src/pure/codex-events.ts'
import { geminiEvents, geminiText } from '../../src/pure/gemini-events.ts'
import { opencodeEvents, opencodeText } from '../../src/pure/opencode-events.ts'

const reading = { now: Date.UTC(2026, 10, 20), zone: 'UTC', clockIn }

const limitEvents = (status: string) =>
  claudeCodeEvents({ type: 'rate_limit_event', rate_limit_info: { status, resetsAt: 1_795_150_000 } }, reading)
const codexErrors = (message: string) => codexEvents({ type: 'error', message }, reading).map(({ is }) => is)

describe('Claude Code', () => {
  const usage = { input_tokens: 3, cache_creation_input_tokens: 40, cache_read_input_tokens: 500, output_tokens: 20 }

  it('is read with the cached part of its input', () => {
    const message = {
      id: 'm',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 't', name: 'Write', input: { file_path: '/a' } },
      ],
      usage,
    }
    expect(claudeCodeEvents({ type: 'assistant', message }, reading)).toEqual([
      { is: 'reply', id: 'm', used: { tokens: { input: 543, cached: 500, output: 20 } } },
      { is: 'text', text: 'Hi' },
      { is: 'call', id: 't', tool: 'Write', args: { file_path: '/a' }, files: ['/a'] },
    ])
  })

  it('is not believed to have replied when it wrote the error itself', () => {
    const message = { id: 'm', content: [{ type: 'text', text: 'API Error' }], usage }
    expect(claudeCodeEvents({ type: 'assistant', message, is_api_error_message: true }, reading)).toEqual([])
  })

  it.each<[object, object]>([
    [
      { subtype: 'success', is_error: false, result: 'Done' },
      { is: 'end', text: 'Done' },
    ],
    [
      { subtype: 'error_max_turns', is_error: true, errors: ['Reached maximum number of turns (1)'] },
      { is: 'fault', message: 'Reached maximum number of turns (1)', code: 'max_turns' },
    ],
    [
      { subtype: 'error_max_budget_usd', is_error: true },
      { is: 'fault', message: 'it stopped: error_max_budget_usd', code: 'budget_exhausted' },
    ],
    [
      { subtype: 'error_during_execution', is_error: true, errors: ['No conversation found with session ID: x'] },
      { is: 'no session' },
    ],
    [
      { subtype: 'success', is_error: true, result: 'API Error: 500' },
      { is: 'fault', message: 'API Error: 500' },
    ],
    [
      { subtype: 'success', is_error: true, result: 'API Error: Request rejected (429) · slow down' },
      { is: 'limit', message: 'API Error: Request rejected (429) · slow down' },
    ],
  ])('ends with %j', (line, event) => {
    const events = claudeCodeEvents({ type: 'result', total_cost_usd: 0.0003, ...line }, reading)
    expect(events).toEqual([
      { is: 'usage', of: 'session', used: { tokens: { input: 0, cached: 0, output: 0 }, costMicros: 300 } },
      event,
    ])
  })

  it('counts what its sub-agents used, too', () => {
    const modelUsage = {
      opus: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3, cacheCreationInputTokens: 4 },
      haiku: { inputTokens: 10, outputTokens: 20, cacheReadInputTokens: 30, cacheCreationInputTokens: 40 },
    }
    const [used] = claudeCodeEvents({ type: 'result', subtype: 'success', modelUsage, usage }, reading)
    expect(used).toMatchObject({ used: { tokens: { input: 88, cached: 33, output: 22 } } })
  })

  it('only takes a limit that is reached for one', () => {
    expect([limitEvents('allowed_warning'), limitEvents('rejected')]).toEqual([
      [],
      [expect.objectContaining({ is: 'limit', until: 1_795_150_000_000 })],
    ])
  })
})

describe('Codex', () => {
  it('is read call by call', () => {
    const item = {
      id: 'i',
      type: 'command_execution',
      command: 'false',
      aggregated_output: 'hi\n',
      exit_code: 1,
      status: 'failed',
    }
    expect(codexEvents({ type: 'item.completed', item }, reading)).toEqual([
      { is: 'call', id: 'i', tool: 'command', args: { command: 'false' }, files: [] },
      { is: 'result', call: 'i', text: 'hi\n', failed: true, refused: false },
    ])
    const change = {
      id: 'c',
      type: 'file_change',
      changes: [{ path: '/r/sum.js', kind: 'update' }],
      status: 'completed',
    }
    expect(codexEvents({ type: 'item.completed', item: change }, reading)[0]).toMatchObject({ files: ['/r/sum.js'] })
  })

  it('is left to reconnect by itself, unless it waits for a limit', () => {
    expect(codexErrors('Reconnecting... 1/5 (stream closed)')).toEqual([])
    expect(codexErrors('Reconnecting... 1/5 (last status: 429 Too Many Requests)')).toEqual(['limit'])
  })

  it('says beside the stream that a session is gone', () => {
    expect(codexText('Error: thread/resume failed: no rollout found for thread id x (code -32600)', reading)).toEqual([
      { is: 'no session' },
    ])
    expect(codexText('Reading additional input from stdin...', reading)).toEqual([])
  })
})

describe('Gemini CLI', () => {
  it('is read call by call, and counts thoughts as output', () => {
    const call = { type: 'tool_use', tool_name: 'replace', tool_id: 'r', parameters: { file_path: 'sum.js' } }
    expect(geminiEvents(call, reading)).toMatchObject([{ is: 'call', files: ['sum.js'] }])
    const denied = {
      type: 'tool_result',
      tool_id: 'r',
      status: 'error',
      output: 'Tool execution denied by policy.',
      error: { type: 'policy_violation' },
    }
    expect(geminiEvents(denied, reading)).toMatchObject([{ is: 'result', failed: true, refused: true }])
    const stats = { total_tokens: 480, input_tokens: 400, output_tokens: 50, cached: 100 }
    expect(geminiEvents({ type: 'result', status: 'success', stats }, reading)).toEqual([
      { is: 'usage', of: 'run', used: { tokens: { input: 400, cached: 100, output: 80 } } },
      { is: 'end' },
    ])
  })

  it('is stopped only when it would wait for long', () => {
    const wait = (span: string) =>
      geminiText(
        `Attempt 1 failed with status 429. Retrying: You exceeded your current quota. Please retry in ${span}.`,
        reading,
      )
    expect([wait('5s'), wait('2h').length]).toEqual([[], 1])
    expect(geminiText('Error resuming session: Invalid session identifier "x".', reading)).toEqual([
      { is: 'no session' },
    ])
  })
})

describe('opencode', () => {
  it('names its session in its log, and why it waits', () => {
    const line =
      'level=ERROR message="stream error" session.id=ses_1 small=false error.error="AI_APICallError: Rate limit reached. Please try again in 60s."'
    expect(opencodeText(line, reading)).toEqual([
      { is: 'session', id: 'ses_1' },
      {
        is: 'limit',
        message: 'AI_APICallError: Rate limit reached. Please try again in 60s.',
        until: reading.now + 60_000,
      },
    ])
    expect(opencodeText('Error: Session not found', reading)).toEqual([{ is: 'no session' }])
  })

  it('reports each reply with what it used, and only a price that it knows', () => {
    const part = {
      messageID: 'm',
      reason: 'stop',
      tokens: { input: 100, output: 20, reasoning: 5, cache: { read: 30, write: 7 } },
      cost: 0,
    }
    expect(opencodeEvents({ type: 'step_finish', sessionID: 's', part }, reading)).toEqual([
      { is: 'end' },
      { is: 'reply', id: 'm', used: { tokens: { input: 137, cached: 30, output: 25 } } },
    ])
    expect(
      opencodeEvents({ type: 'step_finish', part: { ...part, reason: 'tool-calls', cost: 0.000_001_2 } }, reading),
    ).toMatchObject([{ used: { costMicros: 2 } }])
  })
})
