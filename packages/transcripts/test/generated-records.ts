/** A record of each shape that the samples of the real clients lack, as the sources and the documentation of the hosts describe it. */
import type { TranscriptHost } from '@agentm/transcripts'

const at = '2026-11-19T10:00:00.000Z'
const claude = { sessionId: 's1', timestamp: at, cwd: '/work/shop', version: '2.1.328', gitBranch: 'main' }
const user = (content: unknown, more: object = {}) => ({
  ...claude,
  type: 'user',
  uuid: 'u1',
  message: { role: 'user', content },
  ...more,
})
const assistant = (content: unknown, more: object = {}) => ({
  ...claude,
  type: 'assistant',
  message: {
    id: 'm1',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content,
    usage: { input_tokens: 3, cache_read_input_tokens: 10, cache_creation_input_tokens: 5, output_tokens: 2 },
  },
  ...more,
})
const toolUse = (name: string, input: object, id = 't1') => assistant([{ type: 'tool_use', id, name, input }])
const codex = (type: string, payload: object) => ({ timestamp: at, type, payload })
const item = (payload: object) => codex('response_item', payload)
const event = (payload: object) => codex('event_msg', payload)
const gemini = (more: object) => ({ id: 'g1', timestamp: at, ...more })
const part = (role: 'user' | 'assistant', more: object) => ({
  message: { id: 'msg_1', role, modelID: 'm' },
  part: { id: 'prt_1', ...more },
})

export const generated: Readonly<Record<TranscriptHost, readonly object[]>> = {
  'claude-code': [
    user('Fix it <system-reminder>\nToday is Monday.\n</system-reminder>'),
    user([
      { type: 'text', text: '<ide_opened_file>The person opened a.ts</ide_opened_file>' },
      { type: 'text', text: 'Why?' },
      { type: 'image', source: {} },
    ]),
    user(
      '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the last commit</command-args>',
    ),
    user('[Request interrupted by user for tool use]'),
    user('<bash-input>ls</bash-input>'),
    user('Copied', { forkedFrom: { sessionId: 's0', messageUuid: 'u0' } }),
    user('From before', { sessionId: 's-old' }),
    user('<user-prompt-submit-hook>Never commit.</user-prompt-submit-hook>'),
    user(
      [
        {
          type: 'tool_result',
          tool_use_id: 't1',
          content: [
            { type: 'text', text: 'Exit code 2' },
            { type: 'image', source: {} },
          ],
          is_error: true,
        },
      ],
      { toolUseResult: 'Error: Exit code 2' },
    ),
    assistant([{ type: 'thinking', thinking: 'I should look.', signature: 'x' }]),
    assistant([
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'Done.' },
    ]),
    assistant([{ type: 'text', text: 'API Error: 529' }], { isApiErrorMessage: true }),
    toolUse('TaskCreate', { subject: 'Write the test', description: 'First' }, 't2'),
    user([{ type: 'tool_result', tool_use_id: 't2', content: 'Task #1 created' }], {
      toolUseResult: { task: { id: '1', subject: 'Write the test' } },
    }),
    toolUse('TaskUpdate', { taskId: '1', status: 'in_progress' }, 't3'),
    toolUse('TodoWrite', { todos: [{ content: 'One', status: 'completed', activeForm: 'Doing one' }] }),
    toolUse('WebFetch', { url: 'https://example.org', prompt: 'Summarise' }),
    toolUse('Grep', { pattern: 'TODO' }),
    toolUse('mcp__server__tool', { any: 1 }),
    { ...claude, type: 'system', subtype: 'api_error', error: { message: 'overloaded' }, level: 'error' },
    { ...claude, type: 'system', subtype: 'microcompact_boundary' },
    {
      ...claude,
      type: 'attachment',
      attachment: { type: 'queued_command', prompt: 'And the docs', commandMode: 'prompt' },
    },
    {
      ...claude,
      type: 'attachment',
      attachment: {
        type: 'queued_command',
        prompt: '<task-notification>done</task-notification>',
        commandMode: 'task-notification',
      },
    },
    {
      ...claude,
      type: 'attachment',
      attachment: { type: 'hook_success', hookName: 'Stop', content: 'ok', stdout: 'formatted 3 files' },
    },
    { type: 'summary', summary: 'A session about tests', leafUuid: 'u1' },
    { type: 'file-history-snapshot', messageId: 'u1', snapshot: {} },
    { type: 'custom-title', customTitle: 'Tests', sessionId: 's1' },
  ],
  codex: [
    codex('session_meta', {
      id: 'c1',
      timestamp: at,
      cwd: '/work/shop',
      cli_version: '0.50.0',
      originator: 'codex_cli_rs',
      git: { branch: 'main' },
    }),
    codex('session_meta', {
      id: 'c2',
      session_id: 'c1',
      cwd: '/work/shop',
      source: { subagent: { thread_spawn: { parent_thread_id: 'c1', depth: 1 } } },
    }),
    codex('session_meta', { id: 'c3', cwd: '/work/shop', forked_from_id: 'c1' }),
    codex('turn_context', { cwd: '/work/shop/packages', model: 'gpt-5' }),
    codex('compacted', { message: 'We were fixing the tests.' }),
    item({
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: '# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>Be brief.</INSTRUCTIONS>' },
        { type: 'input_text', text: '<environment_context>\n<cwd>/work</cwd>\n</environment_context>' },
      ],
    }),
    item({
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'Fix it' },
        { type: 'input_image', image_url: 'data:' },
      ],
    }),
    event({ type: 'user_message', message: 'Fix it', images: ['data:'] }),
    event({ type: 'agent_message', message: 'Fixed.' }),
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Fixed.' }] }),
    item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Looking' }], encrypted_content: 'x' }),
    item({
      type: 'function_call',
      name: 'shell',
      arguments: '{"command":["bash","-lc","npm test"],"workdir":"/work"}',
      call_id: 'k1',
    }),
    item({
      type: 'function_call_output',
      call_id: 'k1',
      output: '{"output":"1 failed\\n","metadata":{"exit_code":1,"duration_seconds":2}}',
    }),
    item({
      type: 'custom_tool_call',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** Add File: a.ts\n+1\n*** Update File: b.ts\n*** Move to: c.ts\n*** End Patch',
      call_id: 'k2',
      status: 'completed',
    }),
    item({ type: 'custom_tool_call_output', call_id: 'k2', output: 'apply_patch verification failed: no such line' }),
    item({
      type: 'local_shell_call',
      call_id: 'k3',
      status: 'completed',
      action: { type: 'exec', command: ['ls', '-l'], working_directory: '/work' },
    }),
    item({
      type: 'function_call',
      name: 'update_plan',
      arguments: '{"plan":[{"step":"Test","status":"in_progress"}]}',
      call_id: 'k4',
    }),
    item({
      type: 'web_search_call',
      id: 'w1',
      status: 'completed',
      action: { type: 'search', query: 'vitest fake timers' },
    }),
    item({ type: 'function_call', name: 'spawn_agent', arguments: '{"message":"Read the docs"}', call_id: 'k5' }),
    event({
      type: 'token_count',
      info: { total_token_usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2 } },
    }),
    event({ type: 'token_count', info: null, rate_limits: {} }),
    event({ type: 'exec_command_end', call_id: 'k6', exit_code: 127 }),
    event({ type: 'turn_aborted', reason: 'interrupted' }),
    event({ type: 'thread_rolled_back', num_turns: 2 }),
    event({ type: 'error', message: 'stream disconnected' }),
    { id: 'old', timestamp: at, instructions: null, git: {} },
    { record_type: 'state' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'From an old version' }] },
  ],
  gemini: [
    { sessionId: 'g', projectHash: 'h', startTime: at, kind: 'subagent' },
    {
      $set: {
        messages: [
          gemini({ type: 'user', content: [{ text: '<state_snapshot>We fixed it.</state_snapshot>' }] }),
          gemini({
            id: 'g2',
            type: 'gemini',
            content: [{ text: 'Yes' }, { functionCall: { id: 'f0', name: 'glob', args: { pattern: '*.ts' } } }],
          }),
        ],
      },
    },
    { $set: { summary: 'Fixing the sum' } },
    { $rewindTo: 'g1' },
    gemini({ type: 'user', content: '/help' }),
    gemini({
      type: 'user',
      content: [{ text: 'Look at @a.ts' }, { text: '--- a.ts ---' }],
      displayContent: [{ text: 'Look at @a.ts' }],
    }),
    gemini({ type: 'user', content: [{ text: '<hook_context>Be brief.</hook_context>' }] }),
    gemini({ type: 'error', content: 'quota exceeded' }),
    gemini({ type: 'info', content: 'Update available' }),
    gemini({
      id: 'g3',
      type: 'gemini',
      content: '',
      model: 'gemini-2.5-pro',
      thoughts: [{ subject: 'Plan', description: 'Read first', timestamp: at }],
      tokens: { input: 5, output: 1, cached: 2, thoughts: 3 },
      toolCalls: [
        {
          id: 'f1',
          name: 'write_todos',
          args: { todos: [{ description: 'One', status: 'in_progress' }] },
          status: 'success',
          result: [],
        },
        { id: 'f2', name: 'web_fetch', args: { prompt: 'Read https://example.org/a' }, status: 'cancelled' },
      ],
    }),
  ],
  opencode: [
    {
      session: {
        id: 'ses_1',
        directory: '/work/shop',
        title: 'T',
        version: '1.18.33',
        revert: {},
        time: { updated: 1 },
      },
    },
    part('user', { type: 'text', text: 'Fix it' }),
    part('user', { type: 'text', text: 'The following tool was executed', synthetic: true }),
    part('user', { type: 'file', mime: 'text/plain', filename: 'a.ts', url: 'file:///work/a.ts' }),
    part('user', { type: 'subtask', prompt: 'Review', agent: 'general', description: 'd' }),
    part('assistant', { type: 'reasoning', text: 'Hm', time: { start: 1, end: 2 } }),
    part('assistant', {
      type: 'tool',
      tool: 'todowrite',
      callID: 'o1',
      state: {
        status: 'completed',
        input: { todos: [{ content: 'One', status: 'pending' }] },
        output: '[]',
        metadata: {},
      },
    }),
    part('assistant', {
      type: 'tool',
      tool: 'bash',
      callID: 'o2',
      state: { status: 'error', input: { command: 'false' }, error: 'rejected' },
    }),
    part('assistant', { type: 'retry', attempt: 1, error: { name: 'APIError', data: { message: 'overloaded' } } }),
    part('assistant', { type: 'snapshot', snapshot: 'x' }),
    {
      message: { id: 'msg_2', role: 'assistant', error: { name: 'MessageAbortedError', data: { message: 'aborted' } } },
    },
    { message: { id: 'msg_3', role: 'assistant', summary: true }, part: { id: 'p', type: 'text', text: 'Summary' } },
  ],
  plain: [
    {
      type: 'session',
      session: 's1',
      cwd: '/work',
      version: '1',
      branch: 'main',
      title: 'T',
      parent: { session: 's0', why: 'resumed' },
      at,
    },
    { type: 'prompt', text: 'Fix it', id: 'p1', at: 1_795_107_670_032 },
    { type: 'context', text: 'Today is Monday.' },
    { type: 'reply', text: 'Fixed.', model: 'm' },
    { type: 'thought', text: 'Hm' },
    {
      type: 'call',
      id: 'k1',
      tool: 'sh',
      input: { line: 'ls' },
      use: { does: 'command', command: 'ls', cwd: '/work' },
    },
    { type: 'call', id: 'k2', tool: 'put', use: { does: 'write', files: ['a.ts'] } },
    { type: 'call', id: 'k3', tool: 'plan', use: { does: 'todo', items: [{ text: 'One', status: 'active' }] } },
    { type: 'result', call: 'k1', text: 'a.ts', exitCode: 0 },
    { type: 'error', text: 'timeout' },
    { type: 'compaction', summary: 'So far' },
    { type: 'rewind', turns: 1 },
    { type: 'usage', inputTokens: 5, outputTokens: 2, cachedTokens: 0 },
  ],
}
