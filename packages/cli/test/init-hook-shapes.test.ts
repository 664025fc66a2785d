import { describe, expect, it } from 'vitest'
import { type HookEvent, type HookHost, hookEvents } from '../src/hosts/pure/hook-events.ts'
import { hookInput } from '../src/hosts/pure/hook-input.ts'
import { hookOutput, takesContext } from '../src/hosts/pure/hook-output.ts'

const hosts = Object.keys(hookEvents) as readonly HookHost[]

describe('hook input', () => {
  // The inputs of Claude Code, Codex and Gemini CLI are as their programs of November 2026 send them.
  it.each<[HookHost, object, object]>([
    [
      'claude-code',
      {
        session_id: '6364cedb',
        transcript_path: '/home/me/.claude/projects/-r/6364cedb.jsonl',
        cwd: '/r',
        hook_event_name: 'SessionStart',
        source: 'compact',
      },
      {
        session: '6364cedb',
        cwd: '/r',
        source: 'compact',
        transcriptPath: '/home/me/.claude/projects/-r/6364cedb.jsonl',
      },
    ],
    [
      'codex',
      {
        session_id: '01a1',
        turn_id: '01a2',
        transcript_path: null,
        cwd: '/r',
        hook_event_name: 'UserPromptSubmit',
        prompt: 'Why?',
      },
      { session: '01a1', cwd: '/r', prompt: 'Why?', transcriptPath: undefined },
    ],
    [
      'gemini',
      {
        session_id: 'bc58',
        cwd: '/r',
        hook_event_name: 'BeforeAgent',
        prompt: '<hook_context>two\nlines</hook_context>\n\nWhy <hook_context>?',
      },
      { session: 'bc58', prompt: 'Why <hook_context>?' },
    ],
    ['opencode', { session_id: 'ses_1', cwd: '/r', prompt: 'Why?' }, { session: 'ses_1', cwd: '/r', prompt: 'Why?' }],
    [
      'cursor',
      {
        conversation_id: 'c1',
        session_id: 's1',
        workspace_roots: ['/r', '/other'],
        prompt: 'Why?',
        transcript_path: null,
      },
      { session: 'c1', cwd: '/r', prompt: 'Why?', transcriptPath: undefined },
    ],
  ])('of %s is read', (host, sent, read) => {
    expect(hookInput(host, JSON.stringify(sent))).toMatchObject(read)
  })

  it.each(hosts)('of %s may be absent or wrong without failing', (host) => {
    const nothing = { session: undefined, cwd: undefined, prompt: '', source: undefined, transcriptPath: undefined }
    for (const text of [
      '',
      ' \n',
      '[]',
      '7',
      'null',
      '{"session_id": 7, "cwd": [], "workspace_roots": [1], "prompt": {}}',
    ])
      expect(hookInput(host, text)).toMatchObject(nothing)
    expect(() => hookInput(host, '{')).toThrow(SyntaxError)
  })

  it('names the transcript of a sub-agent beside the one of its session', () => {
    const sent = { transcript_path: '/t/s.jsonl', agent_transcript_path: '/t/s/subagents/a.jsonl' }
    expect(hookInput('claude-code', JSON.stringify(sent))).toMatchObject({
      transcriptPath: '/t/s.jsonl',
      agentTranscriptPath: '/t/s/subagents/a.jsonl',
    })
  })
})

describe('hook output', () => {
  it.each<[HookHost, HookEvent, string]>([
    ['claude-code', 'session-start', 'A note.'],
    ['claude-code', 'prompt-submit', 'A note.'],
    ['codex', 'session-start', 'A note.'],
    [
      'gemini',
      'session-start',
      '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"A note."}}',
    ],
    ['gemini', 'prompt-submit', '{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"A note."}}'],
    ['opencode', 'prompt-submit', 'A note.'],
    ['opencode', 'pre-compact', 'A note.'],
    ['cursor', 'session-start', '{"additional_context":"A note."}'],
    ['cursor', 'prompt-submit', ''],
  ])('for %s at %s is what it adds to the context', (host, event, printed) => {
    expect(hookOutput(host, event, 'A note.')).toBe(printed)
  })

  it('is empty where a host would read a text as a decision or a prompt, and where there is nothing to say', () => {
    for (const host of hosts) {
      for (const event of ['stop', 'session-end', 'subagent-stop'] as const)
        expect([host, event, takesContext(host, event), hookOutput(host, event, 'A note.')]).toEqual([
          host,
          event,
          false,
          '',
        ])
      expect(hookOutput(host, 'session-start', ' \n')).toBe('')
    }
    expect(hookOutput('claude-code', 'pre-compact', 'A note.')).toBe('')
  })

  it.each(['claude-code', 'codex'] as const)(
    'for %s is wrapped where its first character would make it JSON',
    (host) => {
      for (const text of ['[agentm] state', '\n{ "a": 1 }'])
        expect(JSON.parse(hookOutput(host, 'session-start', text))).toEqual({
          hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text },
        })
    },
  )
})
