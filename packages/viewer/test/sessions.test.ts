/** What the page tells of agent sessions: captured from files as their agents write them, and asked for by the requests of the page. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openWorkspace } from '@agentm/workspace'
import type { LearnedList, SessionList, SessionPage, TurnEntries } from '../src/contract/sessions.ts'
import { ViewWorld, type ViewWorldOptions } from './view-world.ts'

const secret = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`
const hostile = '"><img src=x onerror="alert(1)"><script>alert(1)</script>\u202E javascript:alert(1)'
const start = Date.UTC(2026, 10, 2, 9)

type Line = Readonly<Record<string, unknown>>

const command = (id: string, text: string, exitCode = 0, output = 'ok'): readonly Line[] => [
  { type: 'call', id, tool: 'shell', input: { command: text }, use: { does: 'command', command: text } },
  { type: 'result', call: id, text: output, exitCode },
]

const fixing: readonly Line[] = [
  { type: 'session', branch: 'main' },
  { type: 'prompt', text: 'The checkout total is wrong. Fix it.' },
  { type: 'thought', text: 'Perhaps it is rounded twice.' },
  ...command('c1', 'npm test', 1, 'Error: expected 42, got 41'),
  { type: 'call', id: 'c2', tool: 'edit', input: {}, use: { does: 'write', files: ['total.js'] } },
  { type: 'result', call: 'c2', text: 'ok' },
  { type: 'compaction', summary: 'The total is wrong.' },
  ...command('c3', 'npm test'),
  { type: 'usage', model: 'scripted', inputTokens: 900, outputTokens: 100 },
  { type: 'reply', text: 'We will round half up, because the invoices do.' },
  { type: 'prompt', text: 'Thanks. Now deploy.' },
  { type: 'reply', text: 'Deployed.' },
]

/** A world whose agent wrote these sessions, by their names. */
async function captured(
  sessions: Readonly<Record<string, readonly Line[]>>,
  options: ViewWorldOptions = {},
  { learn = false }: { readonly learn?: boolean } = {},
) {
  const agents = await mkdtemp(path.join(tmpdir(), 'agentm-agents-'))
  onTestFinished(() => rm(agents, { recursive: true, force: true }))
  let at = start
  for (const [name, lines] of Object.entries(sessions)) {
    const file = path.join(agents, `${name}.jsonl`)
    await mkdir(path.dirname(file), { recursive: true })
    const text = lines.map((line) => JSON.stringify({ at: new Date((at += 1_000)).toISOString(), ...line })).join('\n')
    await writeFile(file, `${text}\n`)
  }
  const settings = { 'capture.plain': agents }
  const world = await ViewWorld.make({ settings, ...options })
  const workspace = await openWorkspace({ home: world.home, settings: { owner: 'ada', ...settings } })
  await (await workspace.capture()).run({ hosts: ['plain'], ended: Object.keys(sessions), learn })
  await workspace.close()
  return { world, agents }
}

it('says that there are none yet, and makes no log by saying so', async () => {
  const world = await ViewWorld.make()
  expect(await world.json<SessionList>('/api/sessions')).toMatchObject({ sessions: [] })
  expect((await world.get('/api/sessions/nothing')).status).toBe(404)
  expect(await world.json('/api/plans')).toMatchObject({ hasLog: false })
})

it('lists what was asked and said, the newest first, and finds a word of any turn', async () => {
  const { world } = await captured({
    older: [{ type: 'prompt', text: 'Write the tide tables.' }, ...command('c', 'make tides')],
    newer: fixing,
  })
  const { sessions } = await world.json<SessionList>('/api/sessions')
  expect(sessions).toMatchObject([
    {
      id: 'newer',
      host: 'plain',
      asked: 'The checkout total is wrong. Fix it.',
      done: 'Deployed.',
      turns: 2,
      branch: 'main',
      tokens: { input: 900, output: 100 },
    },
    { id: 'older', asked: 'Write the tide tables.', turns: 1 },
  ])
  const found = async (words: string) =>
    (await world.json<SessionList>(`/api/sessions?q=${encodeURIComponent(words)}`)).sessions.map(({ id }) => id)
  expect(await found('MAKE tides')).toEqual(['older'])
  expect(await found('round invoices')).toEqual(['newer'])
  expect(await found('round tides')).toEqual([])
})

it('tells each turn of a session: commands, files, what was fixed and decided', async () => {
  const { world } = await captured({ newer: fixing })
  const page = await world.json<SessionPage>('/api/sessions/newer')
  expect(page).toMatchObject({ total: 2, commands: 2, failed: 1, files: 1, session: { id: 'newer' } })
  expect(page.turns).toMatchObject([
    {
      number: 1,
      commands: [
        { command: 'npm test', failed: true, exitCode: 1, error: 'Error: expected 42, got 41' },
        { command: 'npm test', failed: false },
      ],
      files: [{ file: 'total.js', how: 'write' }],
      fixes: [{ command: 'npm test' }],
      decisions: [{ by: 'agent', text: 'We will round half up, because the invoices do.' }],
    },
    { number: 2, asked: 'Thanks. Now deploy.', done: 'Deployed.' },
  ])
  expect(page.bars.map(([id, from, to, row, hasFailed]) => [id, to > from, row, hasFailed])).toEqual([
    [page.turns[0]?.id, true, 0, 1],
    [page.turns[1]?.id, true, 0, 0],
  ])
})

it('reads everything of a turn from the file of its agent, while that is there', async () => {
  const { world, agents } = await captured({ 'deep/newer': fixing })
  const { turns } = await world.json<SessionPage>('/api/sessions/deep%2Fnewer')
  const entries = () => world.json<TurnEntries>(`/api/sessions/deep%2Fnewer/entries?turn=${turns[0]?.id}`)
  const found = await entries()
  expect(found).toMatchObject({ isHere: true, isCut: false })
  expect(found.entries.map(({ what, tool, hasFailed }) => [what, tool, hasFailed].filter(Boolean).join(' '))).toEqual([
    'prompt',
    'thought',
    'call shell true',
    'call edit',
    'compaction',
    'call shell',
    'usage',
    'reply',
  ])
  expect(found.entries[2]).toMatchObject({ input: { command: 'npm test' }, result: 'Error: expected 42, got 41' })
  expect((await world.get('/api/sessions/deep%2Fnewer/entries?turn=nothing')).status).toBe(404)
  await rm(agents, { recursive: true })
  expect(await entries()).toEqual({ isHere: false, entries: [], isCut: false })
})

it('gives a long session in parts, and cuts what is too long for a page', async () => {
  const many = Array.from({ length: 230 }, (_, i) => [
    { type: 'prompt', text: `Question ${i + 1}` },
    { type: 'reply', text: `Answer ${i + 1}` },
  ]).flat()
  const long: readonly Line[] = [
    { type: 'prompt', text: 'Print it all.' },
    ...Array.from({ length: 300 }, (_, i) =>
      command(`c${i}`, `print ${i}`, 0, 'x'.repeat(i === 0 ? 100_000 : 10)),
    ).flat(),
    { type: 'reply', text: 'Done.' },
  ]
  const { world } = await captured({ many, long })
  const from = (place: number) => world.json<SessionPage>(`/api/sessions/many?from=${place}`)
  const pages = [await from(0), await from(100), await from(200)]
  expect(pages.map(({ turns, total }) => [turns.length, total])).toEqual([
    [100, 230],
    [100, 230],
    [30, 230],
  ])
  expect(pages[2]?.turns.at(-1)).toMatchObject({ asked: 'Question 230', done: 'Answer 230' })
  expect(pages[0]?.bars).toHaveLength(230)
  const [turn] = (await world.json<SessionPage>('/api/sessions/long')).turns
  const { entries, isCut } = await world.json<TurnEntries>(`/api/sessions/long/entries?turn=${turn?.id}`)
  expect([entries.length < 400, isCut, entries[1]?.result?.length]).toEqual([true, true, expect.any(Number)])
  expect(entries[1]?.result?.length).toBeLessThan(5_000)
})

it('says what was learned from a session, and from which of its turns', async () => {
  const wish = 'From now on, always run npm test before you commit.'
  const session = (asked: string): readonly Line[] => [
    { type: 'prompt', text: asked },
    { type: 'reply', text: 'Done.' },
    { type: 'prompt', text: wish },
    { type: 'reply', text: 'I will.' },
  ]
  const { world } = await captured({ one: session('Fix the map.'), two: session('Fix the list.') }, {}, { learn: true })
  const { learned } = await world.json<LearnedList>('/api/sessions/one/learned')
  expect(learned).toMatchObject([
    { statement: expect.stringContaining('npm test before you commit'), status: 'waiting', turns: [2] },
  ])
  expect(await world.json<LearnedList>('/api/sessions/three/learned')).toEqual({ learned: [] })
})

it('shows no secret, and sends hostile texts as data', async () => {
  const text = `${hostile} with ${secret}`
  const { world } = await captured({
    hostile: [
      { type: 'prompt', text },
      { type: 'thought', text },
      ...command('c1', text, 1, `Error: ${text}`),
      { type: 'compaction', summary: text },
      { type: 'reply', text },
    ],
  })
  const { turns } = await world.json<SessionPage>('/api/sessions/hostile')
  for (const target of [
    '/api/sessions',
    '/api/sessions?q=onerror',
    '/api/sessions/hostile',
    `/api/sessions/hostile/entries?turn=${turns[0]?.id}`,
  ]) {
    const { head, body } = await world.get(target)
    expect(head).toMatch(/Content-Type: application\/json/)
    expect(body).not.toContain(secret)
    expect(body).toContain('onerror')
  }
})

it('shows another owner nothing, and that owner’s own page shows only theirs', async () => {
  const { world } = await captured({ newer: fixing }, { owner: 'grace' })
  expect(await world.json('/api/about')).toMatchObject({ owner: 'grace' })
  expect(await world.json<SessionList>('/api/sessions')).toMatchObject({ sessions: [] })
  expect((await world.get('/api/sessions/newer')).status).toBe(404)
})
