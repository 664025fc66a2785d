import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findSessions, type SessionSource } from '@agentm/transcripts'
import { bodies, readAll } from './samples.ts'

async function setup() {
  const root = await mkdtemp(join(tmpdir(), 'transcripts-gemini-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const chats = join(root, 'tmp', 'shop', 'chats')
  await mkdir(chats, { recursive: true })
  await writeFile(join(root, 'tmp', 'shop', '.project_root'), '/work/shop')
  const name = 'session-2025-10-01T10-00-aaaabbbb.json'
  const source: SessionSource = { host: 'gemini', source: `tmp/shop/chats/${name}` }
  const write = (messages: readonly object[], more: object = {}) =>
    writeFile(
      join(chats, name),
      JSON.stringify(
        { sessionId: 's1', projectHash: 'h', startTime: '2025-10-01T10:00:00.000Z', messages, ...more },
        undefined,
        2,
      ),
    )
  return { chats, name, write, source, options: { roots: { gemini: root }, home: root, env: {} } }
}

const asked = { id: 'm1', timestamp: '2025-10-01T10:00:01.000Z', type: 'user', content: 'Rename it' }
const answered = {
  id: 'm2',
  timestamp: '2025-10-01T10:00:02.000Z',
  type: 'gemini',
  content: 'I rename it.',
  model: 'gemini-2.5-pro',
}
const renamed = { id: 'c1', name: 'replace', args: { file_path: '/work/shop/a.ts' }, status: 'executing' }

it('reads a document that grows: only what was added', async () => {
  const { write, source, options } = await setup()
  await write([asked])
  const first = await readAll(source, options)
  await write([asked, { ...answered, toolCalls: [renamed] }])
  const second = await readAll(source, { ...options, cursor: first.cursor })
  await write([
    asked,
    {
      ...answered,
      toolCalls: [
        {
          ...renamed,
          status: 'error',
          result: [{ functionResponse: { id: 'c1', name: 'replace', response: { error: 'no such file' } } }],
        },
      ],
    },
  ])
  const third = await readAll(source, { ...options, cursor: second.cursor })
  expect(first.events).toMatchObject([
    { record: 1, type: 'session', session: 's1', cwd: '/work/shop' },
    { record: 2, type: 'prompt', text: 'Rename it', id: 'm1' },
  ])
  expect(second.events).toMatchObject([
    { record: 3, type: 'reply', text: 'I rename it.' },
    { record: 3, type: 'call', use: { does: 'write', files: ['/work/shop/a.ts'] } },
  ])
  expect(third.events).toMatchObject([{ record: 3, type: 'result', call: 'c1', text: 'no such file', isError: true }])
  expect([second.restarted, third.restarted]).toEqual([false, false])
})

it('gives nothing for a document that did not change', async () => {
  const { write, source, options } = await setup()
  await write([asked, answered])
  const { cursor } = await readAll(source, options)
  expect(await readAll(source, { ...options, cursor })).toEqual({ events: [], cursor, restarted: false })
})

it('counts a half-written document as unknown, and reads it once it is whole', async () => {
  const { chats, name, write, source, options } = await setup()
  await writeFile(join(chats, name), '{ "sessionId": "s1", "messages": [ {')
  const first = await readAll(source, options)
  await write([asked, answered])
  const second = await readAll(source, { ...options, cursor: first.cursor })
  expect(bodies(first.events, 'unknown')).toMatchObject([{ kind: 'not-an-object' }])
  expect(bodies(second.events, 'prompt', 'reply')).toHaveLength(2)
})

it('starts anew if another session stands in its place', async () => {
  const { write, source, options } = await setup()
  await write([asked, answered])
  const { cursor } = await readAll(source, options)
  await write([{ ...asked, id: 'n1', text: 'Something else' }], { sessionId: 's2' })
  const after = await readAll(source, { ...options, cursor })
  expect(after.restarted).toBe(true)
  expect(new Set(after.events.map(({ session }) => session))).toEqual(new Set(['s2']))
})

it('leaves out a document that a newer version continued in lines', async () => {
  const { chats, name, write, options } = await setup()
  await write([asked])
  await writeFile(join(chats, `${name}l`), '{"sessionId":"s1","projectHash":"h"}\n')
  const { sessions } = await findSessions({ ...options, hosts: ['gemini'] })
  expect(sessions.map(({ source }) => source)).toEqual([`tmp/shop/chats/${name}l`])
})

it('reads a sub-agent as part of its session', async () => {
  const { chats, options } = await setup()
  await mkdir(join(chats, 's1'))
  const lines = [
    { sessionId: 'sub-1', projectHash: 'h', startTime: '2026-10-01T10:00:00.000Z', kind: 'subagent' },
    { ...asked, content: [{ text: 'Look at the tests' }] },
    { ...answered, content: 'There are three.' },
  ]
  await writeFile(join(chats, 's1', 'sub-1.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { sessions } = await findSessions({ ...options, hosts: ['gemini'] })
  expect(sessions).toMatchObject([{ session: 's1', agent: 'sub-1' }])
  const { events } = await readAll(sessions[0] as SessionSource, options)
  expect(events).toMatchObject([
    { type: 'session', session: 's1', agent: 'sub-1', parent: { session: 's1', why: 'sub-agent' } },
    { type: 'context', session: 's1', agent: 'sub-1', text: 'Look at the tests' },
    { type: 'reply', session: 's1', agent: 'sub-1', text: 'There are three.' },
  ])
})

it.each([
  ['<hook_context>before</hook_context>\n\nRename it', ['<hook_context>before</hook_context>']],
  ['Rename it\n<hook_context>behind</hook_context>', ['<hook_context>behind</hook_context>']],
  [
    '<hook_context>one</hook_context>\n\nRename it\n<hook_context>two</hook_context>',
    ['<hook_context>one</hook_context>\n<hook_context>two</hook_context>'],
  ],
  ['Rename it', []],
])('keeps what hooks added apart from what the person typed: %j', async (content, contexts) => {
  const { write, source, options } = await setup()
  await write([{ ...asked, content }, answered])
  const { events } = await readAll(source, options)
  expect(events.flatMap((event) => (event.type === 'prompt' ? [event.text] : []))).toEqual(['Rename it'])
  expect(events.flatMap((event) => (event.type === 'context' ? [event.text] : []))).toEqual(contexts)
})

it('reads a message that only a hook wrote as context, and a bare mark as text', async () => {
  const { write, source, options } = await setup()
  await write([
    { ...asked, content: '<hook_context>alone</hook_context>' },
    { ...asked, id: 'm3', content: 'What is </hook_context>' },
  ])
  const { events } = await readAll(source, options)
  expect(events.flatMap((event) => (event.type === 'prompt' ? [event.text] : []))).toEqual(['What is </hook_context>'])
})
