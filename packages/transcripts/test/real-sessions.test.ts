import { expect, it } from 'vitest'
import { findSessions } from '@agentm/transcripts'
import { bodies, readAll, sampleSurroundings } from './samples.ts'

async function sample(host: 'claude-code' | 'codex' | 'gemini' | 'opencode', part: string) {
  const { sessions } = await findSessions({ ...sampleSurroundings, hosts: [host] })
  const source = sessions.find((one) => one.source.includes(part))
  if (source === undefined) throw new Error(`no sample ${part}`)
  return { source, ...(await readAll(source, sampleSurroundings)) }
}

it('finds every sample of Claude Code and Codex, with the ids in their names', async () => {
  const { sessions, unreadable } = await findSessions({ ...sampleSurroundings, hosts: ['claude-code', 'codex'] })
  expect(unreadable).toEqual([])
  expect(sessions.map(({ host, session, agent }) => ({ host, session, agent })).toSorted(byJson)).toEqual(
    [
      { host: 'claude-code', session: '06fe10d1-bae0-4610-994e-3d7eae0b7469' },
      { host: 'claude-code', session: '18b78d03-f083-490d-87cb-43626ca41578' },
      { host: 'claude-code', session: '59cce162-c2f9-4cac-be3c-5aaad9550ab1' },
      { host: 'claude-code', session: '59cce162-c2f9-4cac-be3c-5aaad9550ab1', agent: 'af8395a135853c95a' },
      { host: 'codex', session: '01a1f4c1-4b60-7f70-95ed-75b02daac47e' },
    ].toSorted(byJson),
  )
})

const byJson = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

it('reads a resumed and compacted session of Claude Code: only what the person typed is a prompt', async () => {
  const { events } = await sample('claude-code', '18b78d03')
  expect(bodies(events, 'prompt')).toEqual([
    { type: 'prompt', text: 'The test fails. Make it pass.', id: '64d02623-21e4-4d33-9525-f670f3025ece' },
    { type: 'prompt', text: 'What changed?', id: 'becb24ae-2c5d-46fb-a21c-9bd0f05e0e32' },
    { type: 'prompt', text: 'Are you there?', id: '5c08dd7e-ac7e-4e30-9cec-6b5b75ebb4a7' },
  ])
  expect(events.filter(({ type }) => type === 'compaction')).toHaveLength(1)
  expect(bodies(events, 'unknown', 'error')).toEqual([])
  expect(events.find(({ type }) => type === 'session')).toMatchObject({
    record: 3,
    cwd: '/work/repo',
    version: '2.1.328',
    branch: 'master',
  })
})

it('reads the tools of Claude Code with what they did, and the exit codes of its commands', async () => {
  const { events } = await sample('claude-code', '18b78d03')
  const uses = events.flatMap((event) => (event.type === 'call' ? [[event.tool, event.use]] : []))
  expect(uses).toEqual([
    ['Bash', { does: 'command', command: 'node sum.test.js' }],
    ['Read', { does: 'read', files: ['/work/repo/sum.js'] }],
    ['Edit', { does: 'write', files: ['/work/repo/sum.js'] }],
    ['Bash', { does: 'command', command: 'node sum.test.js' }],
    ['Bash', { does: 'command', command: 'git diff --stat' }],
  ])
  const codes = events.flatMap((event) => (event.type === 'result' ? [event.exitCode] : []))
  expect(codes).toEqual([1, undefined, undefined, 0, 0])
})

it('counts the tokens of a message of Claude Code once, although each of its lines repeats them', async () => {
  const { events } = await sample('claude-code', '18b78d03')
  const messages = new Set(events.flatMap((event) => (event.type === 'usage' ? [event.record] : [])))
  const input = events.reduce((sum, event) => sum + (event.type === 'usage' ? (event.inputTokens ?? 0) : 0), 0)
  expect(input).toBe(messages.size * 100)
  expect(messages.size).toBe(8)
})

it('keeps the ids of prompts that a fork of Claude Code copied', async () => {
  const fork = await sample('claude-code', '06fe10d1')
  const first = await sample('claude-code', '18b78d03')
  const ids = (events: typeof fork.events) => events.flatMap((event) => (event.type === 'prompt' ? [event.id] : []))
  expect(ids(fork.events).slice(0, 2)).toEqual(ids(first.events).slice(0, 2))
  expect(ids(fork.events)).toHaveLength(3)
})

it('reads a sub-agent of Claude Code as part of its session, and its task as context', async () => {
  const { events } = await sample('claude-code', 'subagents')
  expect(new Set(events.map(({ session, agent }) => `${session} ${agent ?? ''}`))).toEqual(
    new Set(['59cce162-c2f9-4cac-be3c-5aaad9550ab1 af8395a135853c95a']),
  )
  expect(events[0]).toMatchObject({
    type: 'session',
    parent: { session: '59cce162-c2f9-4cac-be3c-5aaad9550ab1', why: 'sub-agent' },
  })
  expect(bodies(events, 'prompt')).toEqual([])
  expect(events).toContainEqual(expect.objectContaining({ type: 'context', text: 'COUNT-FILES in this directory' }))
})

it('reads the notice of a background agent as context', async () => {
  const { events } = await sample('claude-code', '59cce162-c2f9-4cac-be3c-5aaad9550ab1.jsonl')
  expect(bodies(events, 'prompt')).toMatchObject([{ text: 'Use an agent to count the files.' }])
  expect(events.flatMap((event) => (event.type === 'call' ? [event.use] : []))).toEqual([
    { does: 'agent', prompt: 'COUNT-FILES in this directory' },
  ])
})

it('reads a session of Codex: one prompt, one reply per message, the patch with its file, the exit codes', async () => {
  const { events } = await sample('codex', 'rollout-')
  expect(bodies(events, 'prompt', 'reply', 'error', 'unknown')).toEqual([
    { type: 'prompt', text: 'The test fails. Make it pass.', id: 'msg_01a1f4c1-4b9d-7ac2-914a-6b07e7384044' },
    { type: 'reply', text: 'I run the test first.', model: 'scripted' },
    { type: 'reply', text: 'sum subtracts. I correct it.', model: 'scripted' },
    { type: 'reply', text: 'The test passes: sum.js subtracted instead of adding.', model: 'scripted' },
  ])
  expect(events.flatMap((event) => (event.type === 'call' ? [event.use] : []))).toEqual([
    { does: 'command', command: 'node sum.test.js' },
    { does: 'write', files: ['sum.js'] },
    { does: 'command', command: 'node sum.test.js' },
  ])
  expect(events.flatMap((event) => (event.type === 'result' ? [[event.exitCode, event.isError]] : []))).toEqual([
    [1, true],
    [undefined, false],
    [0, false],
  ])
  const input = events.reduce((sum, event) => sum + (event.type === 'usage' ? (event.inputTokens ?? 0) : 0), 0)
  expect(input).toBe(400)
})

it('reads a session of Gemini CLI: messages that were written again give only what was added', async () => {
  const { events } = await sample('gemini', 'chats/session-')
  expect(bodies(events, 'prompt', 'reply', 'error', 'unknown')).toEqual([
    { type: 'prompt', text: 'The test fails. Make it pass.', id: '824956a5-3938-464d-a79c-0d89a995586f' },
    { type: 'reply', text: 'I run the test first.', model: 'gemini-2.5-pro' },
    { type: 'reply', text: 'sum subtracts. I correct it.', model: 'gemini-2.5-pro' },
    { type: 'reply', text: 'The test passes: sum.js subtracted instead of adding.', model: 'gemini-2.5-pro' },
  ])
  expect(events.flatMap((event) => (event.type === 'call' ? [event.use] : []))).toEqual([
    { does: 'command', command: 'node sum.test.js' },
    { does: 'read', files: ['/work/repo/sum.js'] },
    { does: 'write', files: ['/work/repo/sum.js'] },
    { does: 'command', command: 'node sum.test.js' },
  ])
  expect(events.flatMap((event) => (event.type === 'result' ? [[event.exitCode, event.isError]] : []))).toEqual([
    [1, true],
    [undefined, false],
    [undefined, false],
    [0, false],
  ])
  expect(events[0]).toMatchObject({
    type: 'session',
    session: 'ad202ff0-82df-441b-821e-1aa2f2ea0bb7',
    cwd: '/work/repo',
  })
})

it('gives every record of every sample at least one event, and knows them all', async () => {
  const { sessions } = await findSessions({ ...sampleSurroundings, hosts: ['claude-code', 'codex', 'gemini'] })
  for (const source of sessions) {
    const { events, cursor } = await readAll(source, sampleSurroundings)
    const records = new Set(events.map(({ record }) => record)).size
    expect({ source, records, unknown: bodies(events, 'unknown') }).toEqual({
      source,
      records: cursor?.records,
      unknown: [],
    })
  }
})
