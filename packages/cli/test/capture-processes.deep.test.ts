/** Many sessions, captured by processes that are killed at any moment: every turn is kept once, and no process stays. */
import { readdirSync, readFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { claudeFile, claudeRecords, writeClaudeSession, type WrittenTurn } from './claude-sessions.ts'
import { CliWorld } from './cli-world.ts'

const sessions = Array.from({ length: 200 }, (_, i) => `session-${String(i).padStart(3, '0')}`)
const turnsEach = 6

function turnsOf(session: string): readonly WrittenTurn[] {
  return Array.from({ length: turnsEach }, (_, i) => ({
    asked: `${session} asks ${i}`,
    commands: [{ command: `make ${i}`, fails: i % 3 === 0, output: 'error: no rule' }],
  }))
}

interface Summary {
  readonly session: string
  readonly turns: number
  readonly askedLast: string
}

it('keeps every turn of 200 sessions once while four processes are killed again and again', async () => {
  const cli = await CliWorld.make()
  onTestFinished(() => cli.remove())
  const place = (session: string) => ({ home: cli.home, cwd: cli.repo, session })
  const grow: (() => Promise<void>)[] = []
  for (const [i, session] of sessions.entries()) {
    if (i % 4 !== 0) {
      await writeClaudeSession(place(session), turnsOf(session))
      continue
    }
    // Every fourth session is still being written, and ends in half a line for a while.
    await writeClaudeSession(place(session), turnsOf(session).slice(0, 2))
    const begun = claudeRecords(place(session), turnsOf(session).slice(0, 2)).length
    const rest = `${claudeRecords(place(session), turnsOf(session)).slice(begun).join('\n')}\n`
    const middle = Math.floor(rest.length / 2)
    const file = claudeFile(place(session))
    grow.push(async () => appendFile(file, rest.slice(0, middle)))
    grow.push(async () => appendFile(file, rest.slice(middle)))
  }
  for (let round = 0; round < 12; round++) {
    const doomed = [0, 1, 2, 3].map(() => cli.start(['capture', 'sessions', ...(round % 2 === 0 ? [] : ['--again'])]))
    await sleep(250 + ((round * 7919) % 1500))
    for (const step of grow.splice(0, Math.ceil(100 / 10))) await step()
    await Promise.all(doomed.map((each) => each.kill('SIGKILL')))
  }
  for (const step of grow) await step()
  const last = await cli.agentm(['capture', 'sessions'])
  // Who captures the end of a session learns from it: mostly one of the killed ones, at times this one.
  expect(last).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^(note: \d+ statements? w(as|ere) learned .*\n)?$/),
  })
  const found = (await cli.json(['sessions', '--all', '--limit', '1000'])) as unknown as {
    readonly sessions: readonly Summary[]
  }
  expect(found.sessions.map(({ session }) => session).toSorted()).toEqual(sessions)
  for (const { session, turns, askedLast } of found.sessions)
    expect([session, turns, askedLast]).toEqual([session, turnsEach, `${session} asks ${turnsEach - 1}`])
  const again = await cli.json(['capture', 'sessions', '--again'])
  expect(again).toMatchObject({ written: 0, private: 0, failed: [] })
}, 240_000)

it('hooks of twenty sessions that end at once leave no process behind', async () => {
  const cli = await CliWorld.make()
  onTestFinished(() => cli.remove())
  cli.variables['AGENTM_CAPTURE'] = 'now'
  for (const session of sessions.slice(0, 40))
    await writeClaudeSession({ home: cli.home, cwd: cli.repo, session }, turnsOf(session))
  const input = (session: string) => JSON.stringify({ session_id: session, cwd: cli.repo })
  const ended = await Promise.all(
    sessions.slice(0, 20).map((session) => cli.agentm(['hook', 'session-end'], input(session))),
  )
  expect(ended.map(({ code, out, err }) => [code, out, err])).toEqual(ended.map(() => [0, '', '']))
  const end = Date.now() + 60_000
  while (Date.now() < end && processesOf(cli.home).length > 0) await sleep(100)
  expect(processesOf(cli.home)).toEqual([])
  const { sessions: kept } = (await cli.json(['sessions', '--all', '--limit', '100'])) as unknown as {
    readonly sessions: readonly Summary[]
  }
  expect(kept).toHaveLength(40)
}, 120_000)

it('a hook with AGENTM_CAPTURE=off makes its session private, and the others are captured', async () => {
  const cli = await CliWorld.make()
  onTestFinished(() => cli.remove())
  cli.variables['AGENTM_CAPTURE'] = 'off'
  for (const session of ['hidden-1', 'shown-1'])
    await writeClaudeSession({ home: cli.home, cwd: cli.repo, session }, turnsOf(session))
  const input = JSON.stringify({ session_id: 'hidden-1', cwd: cli.repo })
  expect(await cli.agentm(['hook', 'session-end'], input)).toEqual({ code: 0, out: '', err: '' })
  const end = Date.now() + 60_000
  while (Date.now() < end && processesOf(cli.home).length > 0) await sleep(100)
  await cli.agentm(['capture', 'sessions', '--again'])
  const { sessions: kept } = (await cli.json(['sessions', '--all'])) as unknown as {
    readonly sessions: readonly Summary[]
  }
  expect(kept.map(({ session }) => session)).toEqual(['shown-1'])
}, 90_000)

/** The processes that run with this home, on Linux. */
function processesOf(home: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`HOME=${home}`) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
