import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { type ClientName, clients } from '../../../tools/clients/clients.mjs'
import { installed, RealClient, type Script } from './real-client.ts'

/** What each client starts in a session with one prompt, in order. opencode does not say when a session ends. */
const hooksOf: Readonly<Record<ClientName, string>> = {
  'claude-code': 'session-start prompt-submit stop session-end',
  codex: 'session-start prompt-submit stop session-end',
  gemini: 'session-start prompt-submit stop session-end',
  opencode: 'session-start prompt-submit stop',
}
const names = Object.keys(hooksOf) as readonly ClientName[]

let place: Awaited<ReturnType<typeof installed>> = { why: 'the clients were not installed' }

beforeAll(async () => {
  place = await installed()
}, 600_000)

/** Skipped, with the reason, where npm cannot be reached. */
async function start(name: ClientName, { skip }: TestContext): Promise<RealClient> {
  if ('why' in place) return skip(place.why)
  return RealClient.forThisTest(name, place.directory)
}

const rule = 'From now on, always run node sum.test.js before you say that you are done.'
const asked = `The test of sum fails. Make it pass. ${rule}`
const corrected = 'The test passes now: sum.js subtracted instead of adding.'

describe.each(names)(`%s, as npm has it`, (name) => {
  it('is connected by one command, works, is captured by itself, and knows it in the next session', async (context) => {
    const client = await start(name, context)
    const before = await filesOf(client)
    const connected = await client.agentm('init', '--host', name)
    expect(connected).toMatchObject({ code: 0, out: expect.stringContaining(`Connected ${name}.`) })

    const first = await client.session(asked, client.correcting(corrected))
    expect({ code: first.code, err: first.code === 0 ? '' : first.err }).toEqual({ code: 0, err: '' })
    expect(first.out).toContain(corrected)
    expect(await client.read('sum.js')).toContain('a + b')
    expect(client.unknown).toEqual([])
    expect(client.requests.at(-1)?.results.join('\n')).toContain('expected 3, got -1')

    const count = hooksOf[name].split(' ').length
    expect((await ended(client, count)).map(({ args }) => args[1]).join(' ')).toBe(hooksOf[name])
    const turn = await captured(client, asked)
    expect(turn).toContain(corrected)
    expect(await learned(client)).toContain('always run node sum.test.js')

    const from = client.requests.length
    await client.agentm('save', 'The staging database listens on port 5433.', '--kind', 'fact')
    const second = await client.session('Which port does the staging database listen on?', () => ({ text: 'On 5433.' }))
    expect(second.code).toBe(0)
    const told = client.requests[from]?.everything ?? ''
    expect({
      last: told.includes(corrected),
      lesson: told.includes('learned from past sessions (not confirmed by a person)'),
      note: told.includes('listens on port 5433'),
    }).toEqual({ last: true, lesson: true, note: true })

    const calls = await ended(client, 2 * count)
    for (const { args, code, err } of calls) expect([args.slice(2), code, err]).toEqual([['--host', name], 0, ''])
    // A host would read a text there as a decision, an instruction or the next prompt.
    for (const { args, out } of calls.filter((call) => !/^(?:session-start|prompt-submit)$/.test(call.args[1] ?? '')))
      expect([args[1], out]).toEqual([args[1], ''])
    printCosts(name, calls)

    expect(await client.agentm('init', '--host', name, '--remove')).toMatchObject({ code: 0 })
    expect(await filesOf(client)).toEqual(before)
    const since = client.requests.length
    await client.session('And now?', () => ({ text: 'Nothing.' }))
    expect(client.requests[since]?.everything.includes('5433')).toBe(false)
    expect(await client.calls()).toHaveLength(calls.length)
  })

  it('calls the tool that recalls', async (context) => {
    const client = await start(name, context)
    await client.agentm('save', 'The staging database listens on port 5433.', '--kind', 'fact')
    await client.agentm('init', '--host', name)
    const { recall } = clients[name].tools
    const ran = await client.session('Look it up.', ({ results }) =>
      results.length === 0
        ? { text: 'I ask memory.', calls: [[recall, { query: 'port of the staging database' }]] }
        : { text: 'It is 5433.' },
    )
    expect(ran.code).toBe(0)
    expect(client.requests.at(-1)?.results.join('\n')).toContain('listens on port 5433')
  })
})

describe('Claude Code, as npm has it', () => {
  it('tells of sub-agents and of a context that is shortened, and shows again what was lost', async (context) => {
    const client = await start('claude-code', context)
    await client.agentm('init', '--host', 'claude-code')
    const first = await client.session(asked, client.correcting(corrected))
    expect(first.code).toBe(0)
    await captured(client, asked)
    const session = (await sessionsOf(client)).find((each) => each.asked === asked)?.session ?? ''
    const before = (await client.calls()).length
    expect(
      (await client.session('/compact', () => ({ text: '<summary>The test was corrected.</summary>' }), { session }))
        .code,
    ).toBe(0)
    const since = (await ended(client, before + 3)).slice(before)
    expect(since.map(({ args }) => args[1])).toContain('pre-compact')
    const compacted = since.find(({ input }) => input.includes('"source":"compact"'))
    expect(compacted?.out).toContain(corrected)

    await client.session('Use an agent to count the files.', counting)
    const events = (await ended(client, before + 8)).map(({ args }) => args[1])
    expect(events.filter((event) => event === 'subagent-stop').length).toBeGreaterThan(0)
  })

  it('works with npx alone, where nobody installed agentm', async (context) => {
    const client = await start('claude-code', context)
    await client.withoutInstallation()
    const connected = await client.agentm('init', '--host', 'claude-code')
    // What is not ours comes from npm.
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(connected.err)) context.skip('npm cannot be reached')
    expect(connected).toMatchObject({ code: 0, out: expect.stringContaining('Connected claude-code.') })
    expect(await client.read('.claude/settings.json')).toContain('npx -y @agentm/cli hook stop --host claude-code')
    await client.agentm('save', 'The staging database listens on port 5433.', '--kind', 'fact')
    const port = 'Which port does the staging database listen on?'
    await client.session(port, () => ({ text: 'On 5433.' }))
    const told = client.requests[0]?.everything ?? ''
    expect({ note: told.includes('listens on port 5433'), tools: told.includes('memory_recall') }).toEqual({
      note: true,
      tools: true,
    })
    expect(await captured(client, port)).toContain('On 5433.')
  })

  it('installs the plugin from the marketplace of this repository', async (context) => {
    const client = await start('claude-code', context)
    const repository = path.resolve(import.meta.dirname, '../../..')
    for (const args of [
      ['plugin', 'validate', path.join(repository, 'skills')],
      ['plugin', 'marketplace', 'add', repository],
      ['plugin', 'install', 'agentm@agentm'],
    ])
      expect(await client.command(...args)).toMatchObject({ code: 0 })
    await client.agentm('save', 'The staging database listens on port 5433.', '--kind', 'fact')
    await client.session('Which port does the staging database listen on?', () => ({ text: 'On 5433.' }))
    const told = client.requests[0]?.everything ?? ''
    expect({ note: told.includes('listens on port 5433'), tools: told.includes('memory_recall') }).toEqual({
      note: true,
      tools: true,
    })
    expect((await ended(client, 4)).map(({ args }) => args[1]).join(' ')).toBe(hooksOf['claude-code'])
  })
})

it('Gemini CLI, as npm has it, installs the extension of this repository', async (context) => {
  const client = await start('gemini', context)
  const extension = await client.extension()
  expect(await client.command('extensions', 'install', extension, '--consent', '--skip-settings')).toMatchObject({
    code: 0,
  })
  await client.agentm('save', 'The staging database listens on port 5433.', '--kind', 'fact')
  await client.session('Which port does the staging database listen on?', () => ({ text: 'On 5433.' }))
  const told = client.requests[0]?.everything ?? ''
  expect({ note: told.includes('listens on port 5433'), tools: told.includes('memory_recall') }).toEqual({
    note: true,
    tools: true,
  })
  expect((await ended(client, 4)).map(({ args }) => args[1]).join(' ')).toBe(hooksOf.gemini)
})

/** The main agent starts another one, which counts. */
const counting: Script = ({ prompt, results }) => {
  if (prompt.includes('task-notification')) return { text: 'It counted 2 files.' }
  if (prompt.includes('COUNT-FILES'))
    return results.length === 0
      ? { text: 'I count.', calls: [clients['claude-code'].tools.shell('ls | wc -l')] }
      : { text: 'There are 2 files.' }
  const task = { description: 'Count files', prompt: 'COUNT-FILES here', subagent_type: 'general-purpose' }
  return results.length === 0 ? { text: 'I ask an agent.', calls: [['Agent', task]] } : { text: 'It counts.' }
}

/** The calls of hooks, when there are as many: the last ones may end after the client. */
async function ended(client: RealClient, count: number) {
  for (let round = 0; round < 100 && (await client.calls()).length < count; round++) await sleep(100)
  return client.calls()
}

interface Session {
  readonly session: string
  readonly asked: string
}

async function sessionsOf(client: RealClient): Promise<readonly Session[]> {
  const { out } = await client.agentm('sessions', 'list', '--json')
  return (JSON.parse(out) as { readonly sessions: readonly Session[] }).sessions
}

/** The turns of the session in which that was asked, once a hook has captured it. Nobody here asks for a capture. */
async function captured(client: RealClient, prompt: string): Promise<string> {
  for (let round = 0; round < 60; round++) {
    const found = (await sessionsOf(client)).find((each) => each.asked.includes(prompt))
    if (found !== undefined) return (await client.agentm('sessions', 'show', found.session)).out
    await sleep(500)
  }
  throw new Error(`no session in which "${prompt}" was asked was captured within 30 seconds`)
}

/** What was learned, once a hook has learned it. It waits for a person, and is shown as such. */
async function learned(client: RealClient): Promise<string> {
  for (let round = 0; round < 60; round++) {
    const { out } = await client.agentm('learned')
    if (out.includes('sum.test.js')) return out
    await sleep(500)
  }
  throw new Error('nothing was learned within 30 seconds')
}

/** What the hooks cost and added, for who reads the log of a run. */
function printCosts(name: ClientName, calls: Awaited<ReturnType<RealClient['calls']>>): void {
  for (const event of new Set(calls.map(({ args }) => args[1] ?? ''))) {
    const these = calls.filter(({ args }) => args[1] === event)
    const cpu = these.map(({ cpuMs }) => Math.round(cpuMs))
    const bytes = these.map(({ out }) => Buffer.byteLength(out))
    const tokens = bytes.map((each) => Math.ceil(each / 4))
    console.log(
      `${name} ${event}: processor ${cpu.join(', ')} ms; added ${bytes.join(', ')} bytes, about ${tokens.join(', ')} tokens`,
    )
    // The aim is 150 ms. A machine that does other work beside it needs more for the same.
    expect(Math.min(...cpu)).toBeLessThan(300)
  }
}

/** The configuration of the checkout and of the person, with its text. */
async function filesOf({ repo, home, name }: RealClient): Promise<readonly string[]> {
  const ours = /^(?:\.mcp\.json|opencode\.json|\.(?:claude|gemini|opencode)\/(?:settings\.json|plugins\/agentm\.js))$/
  const inRepo = (await readdir(repo, { recursive: true })).filter((file) => ours.test(file))
  const person = {
    'claude-code': [],
    codex: ['.codex/config.toml', '.codex/hooks.json'],
    gemini: ['.gemini/settings.json'],
    opencode: ['.config/opencode/opencode.json'],
  }[name]
  const files = [...person.map((file) => path.join(home, file)), ...inRepo.map((file) => path.join(repo, file))]
  return Promise.all(files.map(async (file) => `${file} ${await readFile(file, 'utf8').catch(() => 'absent')}`))
}
