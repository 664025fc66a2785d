// @ts-check
/**
 * Agent sessions in a log, as they would be after months: several hosts, projects and sub-agents, commands that fail and are fixed, and one session
 * of a thousand turns. One session is also there as the file of its agent. The same seed writes the same sessions.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { seededRandom } from '../../packages/conformance/dist/logs/index.js'
import { sessionConcepts } from '../../packages/learning/dist/concepts.js'
import { openSqliteStore } from '../../packages/nodes-sqlite/dist/index.js'

const turnName = 'v1:sessions:turn'
const hosts = /** @type {const} */ (['claude-code', 'claude-code', 'claude-code', 'codex', 'gemini', 'opencode'])
const projects = ['harbour', 'lighthouse', 'tidewater', '_global']
const asks = [
  'The berth map shows two ships in one place at low tide. Find out why and fix it.',
  'Add a page for harbour masters that lists tomorrow’s arrivals.',
  'Why does the nightly import take four hours? Make it take less than one.',
  'Write tests for the tide tables before we change them.',
  'Move the billing job to the new queue, without losing a message.',
  'Rename Berth.position to Berth.mooring everywhere, and keep the old name in the API for now.',
]
const follows = [
  'Good. Now run the whole suite.',
  'It still fails on my machine with the same error.',
  'Use the existing helper instead of a new one.',
  'Commit it with a message that says why.',
  'Also update the page in the handbook.',
]
const replies = [
  'The overlap came from rounding the tide down. We will round half up, because the tables do, and every test passes now.',
  'Done. The list is sorted by arrival, and ships without a berth come first so that nobody overlooks them.',
  'The import read the file once for each harbour. It reads it once now, and the run takes 41 minutes.',
  'I added eleven tests. Two of them fail, because the spring tide of March is missing in the table.',
  'The queue keeps a message until it is confirmed, so the job confirms after the write and not before it.',
]
const commands = [
  'npm test',
  'npx vitest run berths',
  'git diff --stat',
  'npm run build',
  'node tools/import.mjs --dry-run',
]
const files = [
  'src/berths/berth-map.ts',
  'src/tides/tide-table.ts',
  'test/berths.test.ts',
  'src/jobs/import.ts',
  'docs/berths.md',
]

/**
 * @param {{ readonly home: string, readonly owner: string, readonly sessions?: number, readonly bigTurns?: number, readonly now?: number,
 *   readonly seed?: number }} wanted
 */
export async function generateSessions({ home, owner, sessions = 300, bigTurns = 1_000, now = Date.now(), seed = 7 }) {
  const random = seededRandom(seed)
  const pick = (/** @type {readonly string[]} */ from) => from[Math.floor(random() * from.length)] ?? ''
  await mkdir(path.join(home, 'log'), { recursive: true })
  const store = await openSqliteStore({
    path: path.join(home, 'log', 'agentm.db'),
    concepts: sessionConcepts,
    durability: 'normal',
  })
  const made = { bigSession: uuid(seed, 0), smallSession: uuid(seed, 1), storedSession: 'stored/tide-tables' }
  const hour = 3_600_000
  for (let i = sessions - 1; i >= 0; i--) {
    const isBig = i === Math.min(4, sessions - 1)
    const session = isBig ? made.bigSession : i === 0 ? made.smallSession : uuid(seed, 10 + i)
    const host = i === 0 ? 'claude-code' : (hosts[Math.floor(random() * hosts.length)] ?? 'codex')
    const count = isBig ? bigTurns : i === 0 ? 9 : 2 + Math.floor(random() * 9)
    let at = now - (i === 0 ? 50 * 60_000 : (i + random()) * 5.5 * hour) - (isBig ? 320 * hour : 0)
    const drafts = []
    for (let turn = 1; turn <= count; turn++) {
      const tookMs = 20_000 + random() * 200_000
      drafts.push(draftOf({ session, host, turn, at, tookMs, asked: turn === 1 ? pick(asks) : pick(follows) }))
      if (turn % 4 === 2) {
        const agent = `a${turn}${session.slice(0, 4)}`
        const task = 'Read the tide tables of all harbours and list those without a spring tide.'
        drafts.push(draftOf({ session, host, turn: 1, at: at + 5_000, tookMs: tookMs * 0.6, asked: '', agent, task }))
      }
      at += tookMs + random() * (i === 0 ? 90_000 : 400_000)
      if (turn % 40 === 0) at += 8 * hour
    }
    for (let from = 0; from < drafts.length; from += 500)
      await store.log.append(drafts.slice(from, from + 500), {
        owner,
        actor: 'capture',
        partition: projects[i % projects.length] ?? '_global',
      })
  }
  await store.close()
  return made

  /**
   * @param {{ readonly session: string, readonly host: string, readonly turn: number, readonly at: number, readonly tookMs: number,
   *   readonly asked: string, readonly agent?: string, readonly task?: string }} spec
   */
  function draftOf({ session, host, turn, at, tookMs, asked, agent, task }) {
    const hasFailed = random() < 0.3
    const done = pick(replies)
    const ran = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, i) => {
      const failed = hasFailed && i === 0
      return {
        command: pick(commands),
        failed,
        exitCode: failed ? 1 : 0,
        record: turn * 20 + i,
        ...(failed && { error: 'AssertionError: expected 2 ships to be 1' }),
      }
    })
    const payload = {
      ownerUserId: owner,
      host,
      session,
      turn,
      records: [turn * 20, turn * 20 + 19],
      startedAt: new Date(at).toISOString(),
      endedAt: new Date(at + tookMs).toISOString(),
      directory: 'harbour',
      branch: random() < 0.5 ? 'main' : 'fix-berths',
      model: 'claude-sonnet-4-5',
      asked,
      ...(agent !== undefined && { agent, task }),
      done,
      files: files.slice(0, 1 + Math.floor(random() * files.length)).map((file, i) => ({
        file,
        how: i % 2 === 0 ? 'write' : 'read',
      })),
      commands: ran,
      ...(hasFailed && {
        fixes: [
          { command: ran[0]?.command ?? '', error: 'expected 2 ships to be 1', by: ['edited berth-map.ts'], record: 9 },
        ],
      }),
      ...(random() < 0.25 && {
        decisions: [{ text: 'We will round half up, because the tables do.', by: 'agent', record: 4 }],
      }),
      ...(random() < 0.15 && { open: ['Add the spring tide of March', 'Tell the harbour masters'] }),
      tokens: { input: Math.round(4_000 + random() * 60_000), output: Math.round(300 + random() * 4_000) },
      content: `Asked: ${asked === '' ? (task ?? '') : asked}\nDone: ${done}\nRan: ${ran.map(({ command }) => command).join('; ')}`,
    }
    return { concept: turnName, payload, mutation: 'captureTurn' }
  }
}

/** The file of a plain agent, with everything that a host may record. `roots` is what `capture.plain` names. @param {string} root @param {number} [now] */
export async function writeStoredSession(root, now = Date.now()) {
  const start = now - 20 * 60_000
  const lines = [
    { type: 'session', branch: 'main' },
    { type: 'prompt', text: 'Correct the tide table of March, and say what was wrong.' },
    { type: 'context', text: 'Reminder of the host: the handbook is in docs/.' },
    { type: 'thought', text: 'The spring tide is probably missing. I look at the table first.' },
    {
      type: 'call',
      id: 'c1',
      tool: 'read',
      input: { file: 'tides/march.csv' },
      use: { does: 'read', files: ['tides/march.csv'] },
    },
    { type: 'result', call: 'c1', text: 'day,high,low\n1,4.1,0.9\n2,4.3,0.8' },
    {
      type: 'call',
      id: 'c2',
      tool: 'shell',
      input: { command: 'npm test' },
      use: { does: 'command', command: 'npm test' },
    },
    { type: 'result', call: 'c2', text: 'AssertionError: expected 31 days, got 30', exitCode: 1 },
    { type: 'compaction', summary: 'The person wants the tide table of March corrected.' },
    {
      type: 'call',
      id: 'c3',
      tool: 'edit',
      input: { file: 'tides/march.csv' },
      use: { does: 'write', files: ['tides/march.csv'] },
    },
    { type: 'result', call: 'c3', text: 'ok' },
    {
      type: 'call',
      id: 'c4',
      tool: 'shell',
      input: { command: 'npm test' },
      use: { does: 'command', command: 'npm test' },
    },
    { type: 'result', call: 'c4', text: '31 days', exitCode: 0 },
    { type: 'usage', model: 'claude-sonnet-4-5', inputTokens: 18_204, outputTokens: 911, cachedTokens: 12_000 },
    {
      type: 'reply',
      text: 'The 31st was missing. We will check the number of days in a test, because nobody counts lines by eye.',
    },
    { type: 'prompt', text: 'Thanks. Do the same for April.' },
    { type: 'reply', text: 'April is complete.' },
  ]
  const text = lines
    .map((line, i) => JSON.stringify({ ...line, at: new Date(start + i * 9_000).toISOString() }))
    .join('\n')
  await mkdir(path.join(root, 'stored'), { recursive: true })
  await writeFile(path.join(root, 'stored', 'tide-tables.jsonl'), `${text}\n`)
}

/** @param {number} a @param {number} b */
function uuid(a, b) {
  const digits = hash(`${a}/${b}`) + hash(`${b}/${a}`) + hash(`${a}-${b}`) + hash(`${b}-${a}`)
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

/** FNV-1a: 8 hexadecimal digits. @param {string} text */
function hash(text) {
  let value = 2_166_136_261
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16_777_619) >>> 0
  return value.toString(16).padStart(8, '0')
}
