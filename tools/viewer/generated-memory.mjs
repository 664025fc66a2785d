// @ts-check
/**
 * Notes and beliefs as they would be after years of work, for the page of `agentm view`: notes of a project and personal ones over two years,
 * a few of them long, some that were replaced, one with a conflict copy; and beliefs that were learned, faded, were confirmed and forgotten. The
 * same seed writes the same texts.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import { harnessConcepts } from '../../packages/harness/dist/harness-concepts.js'
import { sessionTurn } from '../../packages/learning/dist/sessions.js'
import { semanticMemory } from '../../packages/memory/dist/index.js'
import { openSqliteStore } from '../../packages/nodes-sqlite/dist/index.js'
import { openWorkspace } from '../../packages/workspace/dist/index.js'

const kinds = ['decision', 'fix', 'fact', 'preference', 'workflow', 'convention']
const things = [
  'berth map',
  'tide table',
  'harbour log',
  'crane schedule',
  'pilot roster',
  'fuel dock',
  'customs form',
  'beacon feed',
]
const doing = ['reads', 'writes', 'retries', 'caches', 'signs', 'exports', 'validates', 'archives']
const tags = ['api', 'ops', 'release', 'billing', 'security', 'ui', 'data', 'tests', 'docs', 'sync']
const reasons = [
  'because two ships were shown at one berth',
  'because the old way lost updates at midnight',
  'after the outage in spring',
  'so that a pilot sees it without a reload',
  'because the customs office asks for it',
]

const guide = `# How we release

We release **every second Tuesday**, from \`main\`, when the tide tables are signed.

## Before

1. Run the whole suite: \`make test\`.
2. Ask the harbour master. *Nothing* is published without an answer.
   - by radio on channel 12
   - or on the [page of the harbour](https://harbour.example/releases)
3. Freeze the crane schedule.

| step | who | minutes |
| :--- | :--- | ---: |
| sign the tables | Ada | 10 |
| publish | the worker | 4 |
| tell the pilots | Grace | 2 |

> The release of March failed because the tables were signed twice.

- [x] signed packages
- [ ] a page for pilots

\`\`\`sh
make release VERSION=1.4
\`\`\`
`

/**
 * @param {{ readonly home: string, readonly owner: string, readonly notes?: number, readonly beliefs?: number, readonly now?: number,
 *   readonly seed?: number }} wanted
 */
export async function generateMemory({ home, owner, notes = 20_000, beliefs = 120, now = Date.now(), seed = 7 }) {
  const random = randomFrom(seed)
  const directory = path.join(home, 'work', 'harbour')
  await mkdir(directory, { recursive: true })
  execFileSync('git', ['init', '-q', directory])
  const place = { home, directory, settings: { owner } }
  const workspace = await openWorkspace(place)
  const memory = await workspace.memory()
  const guideKey = (
    await memory.save({ kind: 'workflow', title: 'How we release', text: guide, tags: ['release'], by: 'person' })
  ).key
  await replaced(memory, guideKey)
  const first = (
    await memory.save({ kind: 'fact', text: 'The staging database restarts at 04:00 UTC.', tags: ['ops'], by: 'agent' })
  ).key
  await writeNotes(path.join(home, 'memory'), { count: notes, random, now })
  const copyOf = path.join(home, 'memory', first)
  const copy = first.replace(/\.md$/, ' (conflicted copy 2026-11-02).md')
  const original = await readFile(copyOf, 'utf8')
  const theirs = original.replace('04:00 UTC.', '05:00 UTC, and that takes ten minutes.')
  await writeFile(path.join(home, 'memory', copy), theirs)
  const { harness } = await workspace.plans()
  const { planId, steps } = await harness.createPlan({
    id: 'nightly',
    goal: 'Find why the nightly import takes four hours',
    steps: [{ key: 'look', title: 'Read the log of the import', kind: 'approval' }],
  })
  await workspace.close()
  const told = { home, owner, count: beliefs, random, now, planId, stepId: steps['look'] ?? '' }
  return { home, directory, place, guide: guideKey, first, copy, copyOf, planId, ...(await writeBeliefs(told)) }
}

/** @param {import('../../packages/memory/dist/index.js').Memory} memory @param {string} key */
async function replaced(memory, key) {
  const second = guide.replace('every second Tuesday', 'every Tuesday').replace('channel 12', 'channel 14')
  await memory.supersede(key, { text: second, reason: 'we release weekly now', by: 'person' })
  const third = second.replace(
    '3. Freeze the crane schedule.\n',
    '3. Freeze the crane schedule.\n4. Back up the harbour log.\n',
  )
  await memory.supersede(key, { text: third, reason: 'a restore took too long in June', by: 'person' })
}

/** @param {string} store @param {{ readonly count: number, readonly random: () => number, readonly now: number }} wanted */
async function writeNotes(store, { count, random, now }) {
  const pick = (/** @type {readonly string[]} */ from) => from[Math.floor(random() * from.length)] ?? ''
  const day = 86_400_000
  for (let start = 0; start < count; start += 200)
    await Promise.all(
      Array.from({ length: Math.min(200, count - start) }, async (_, n) => {
        const i = start + n
        const [kind, thing, does, why] = [pick(kinds), pick(things), pick(doing), pick(reasons)]
        const created = new Date(now - random() ** 2 * 700 * day).toISOString().slice(0, 10)
        const isOurs = random() < 0.8
        const folder = path.join(store, isOurs ? 'projects/harbour' : 'personal', kind)
        const own = [...new Set([pick(tags), pick(tags)])].join(', ')
        const by = random() < 0.3 ? 'person' : 'agent'
        const text = `The ${thing} ${does} the ${pick(things)} of shelf ${i} ${why}.\n\n${'It was measured twice. '.repeat(1 + Math.floor(random() * 12))}`
        const head = `---\nkind: ${kind}\nstatus: active\ncreated: ${created}\nupdated: ${created}\ntags: [${own}]\nslug: n${i}\ntitle: The ${thing} ${does} shelf ${i}\nwritten_by: ${by}\n---\n\n`
        await mkdir(folder, { recursive: true })
        await writeFile(path.join(folder, `n${i}.md`), `${head}${text}\n`)
      }),
    )
}

/**
 * With a told clock, so that a belief of a year is written in a moment.
 * @param {{ readonly home: string, readonly owner: string, readonly count: number, readonly random: () => number, readonly now: number,
 *   readonly planId: string, readonly stepId: string }} told
 */
async function writeBeliefs({ home, owner, count, random, now, planId, stepId }) {
  const day = 86_400_000
  let clock = now
  let ids = 0
  const store = await openSqliteStore({
    path: path.join(home, 'log', 'agentm.db'),
    concepts: [...harnessConcepts, semanticMemory, sessionTurn],
    durability: 'normal',
    runtime: { now: () => clock, newId: () => `${++ids}`.padStart(32, '0') },
  })
  const pick = (/** @type {readonly string[]} */ from) => from[Math.floor(random() * from.length)] ?? ''
  /** @param {number} daysAgo @param {string} concept @param {string} id @param {object} payload @param {string} mutation */
  const write = async (daysAgo, concept, id, payload, mutation) => {
    clock = now - daysAgo * day
    const draft = {
      concept,
      id,
      payload: { ...payload },
      mutation,
      update: !/^(?:create|observe|capture)/.test(mutation),
    }
    await store.log.append([draft], { owner, actor: 'memory', partition: 'harbour' })
  }
  const [observation, turn, belief] = ['v1:harness:observation', 'v1:sessions:turn', 'v1:harness:semanticMemory']
  const remark = (/** @type {string} */ content, kind = 'note') => ({
    ownerUserId: owner,
    planId,
    stepId,
    kind,
    content,
  })
  const lock = 'The import waits 3 h 40 min for a lock that the tide tables hold until 04:00.'
  await write(210, observation, 'o1', remark(lock), 'observe')
  await write(
    70,
    observation,
    'o2',
    remark('After moving the import to 04:10, it took 20 minutes.', 'decision'),
    'observe',
  )
  const asked = 'The import waits for the tide tables, so start it after 4.'
  const startedAt = new Date(now - 3 * day).toISOString()
  const session = { host: 'claude-code', session: 'b7e1c2', turn: 3, records: [41, 58], startedAt }
  await write(3, turn, 't1', { ownerUserId: owner, ...session, asked, content: asked }, 'captureTurn')
  const sources = [`${observation}:o1`, `${observation}:o2`, `${turn}:t1`]
  const said = (/** @type {string} */ content, /** @type {number} */ confidence) => ({
    ownerUserId: owner,
    content,
    confidence,
    baseConfidence: confidence,
    sourceEpisodes: sources,
    lastReinforced: new Date(now - 4 * day).toISOString(),
  })
  const create = 'createHarnessSemanticMemory'
  const [story, lesson] = ['beef0001', 'beef0002']
  await write(209, belief, story, said('The nightly import waits for the tide tables.', 0.55), create)
  /** @type {readonly (readonly [number, number, string])[]} */
  const changes = [
    [180, 0.45, 'decay'],
    [150, 0.35, 'decay'],
    [120, 0.5, 'reinforce'],
    [90, 0.4, 'decay'],
    [69, 0.65, 'reinforce'],
    [39, 0.55, 'decay'],
    [3, 0.8, 'reinforce'],
  ]
  for (const [ago, confidence, what] of changes)
    await write(ago, belief, story, { confidence, baseConfidence: confidence }, `${what}HarnessSemanticMemory`)
  const learned = { origin: 'sessions', lesson: 'correction', sourceEpisodes: [`${turn}:t1`] }
  await write(2, belief, lesson, { ...said('The person wants pnpm instead of npm here.', 0.75), ...learned }, create)
  const faded = { ...said('The crane schedule is written on Mondays.', 0.1), status: 'pruned', prunedBy: 'decay' }
  await write(40, belief, 'beef0003', faded, create)
  for (let i = 0; i < count; i++) {
    const content = `The ${pick(things)} ${pick(doing)} the ${pick(things)} ${pick(reasons)} (${i}).`
    await write(
      90 * random(),
      belief,
      `cafe${String(i).padStart(4, '0')}`,
      said(content, 0.2 + 0.75 * random()),
      create,
    )
  }
  await store.close()
  return { story, lesson }
}

/** The generator of Park and Miller: the same seed, the same numbers. @param {number} seed */
function randomFrom(seed) {
  let state = (seed % 2_147_483_646) + 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}
