import { seededRandom } from '@agentm/conformance/logs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Connection } from '../src/connection.ts'
import { loadSqlite } from '../src/load-sqlite.ts'
import { compareWithBruteForce } from './exact-recall.ts'
import { ada, observation, openStore } from './open-store.ts'

test('recall equals brute force on generated stores, also where lists have to be widened', async () => {
  const { widened } = await compareWithBruteForce({ stores: 60, seed: 1, questions: 3 })
  expect(widened).toBeGreaterThan(0)
})

test('one recall ranks with one statement', async () => {
  const { log, recall } = await openStore()
  const random = seededRandom(3)
  const drafts = Array.from({ length: 400 }, (_, i) =>
    observation(`o${i}`, `lamp ${i % 7}`, [random(), random(), random()]),
  )
  await log.append(drafts, ada)
  const all = vi.spyOn(Connection.prototype, 'all')
  try {
    const { hits, widened } = await recall.recall({
      owner: 'ada',
      text: 'lamp 3',
      vector: { embedder: 'test', values: [1, 0, 0] },
      wLex: 0.2,
    })
    const statements = all.mock.calls.filter(([sql]) => /unit_dot|words match|order by score/.test(sql))
    expect([hits.length, widened, statements.length]).toEqual([10, 0, 1])
  } finally {
    all.mockRestore()
  }
})

test('a cold process with packed vectors answers like the one that wrote them, also after changes and removals', async () => {
  const store = await openStore()
  const { log, recall, directory } = store
  const random = seededRandom(9)
  const vector = () => Array.from({ length: 20 }, () => random() - 0.5)
  for (let batch = 0; batch < 5; batch++)
    await log.append(
      Array.from({ length: 900 }, (_, i) => observation(`o${batch}-${i}`, `text ${batch} ${i}`, vector())),
      ada,
    )
  await log.append(
    Array.from({ length: 200 }, (_, i) => observation(`o0-${i}`, `changed ${i}`, vector())),
    ada,
  )
  await log.append([{ ...observation('o1-0', 'text 1 0'), payload: { content: 'text 1 0', kind: 'error' } }], ada)
  await log.redact('v1:sample:observation:o2-0', ada)
  const questions = Array.from({ length: 12 }, () => ({
    owner: 'ada',
    text: 'text',
    vector: { embedder: 'test', values: vector() },
    at: 1e13,
  }))
  const ask = async (from: { recall: typeof recall }) =>
    Promise.all(questions.map(async (question) => (await from.recall.recall(question)).hits))
  const warm = await ask({ recall })
  await store.close()
  const cold = await openStore(directory)
  expect(await ask(cold)).toEqual(warm)
  await cold.log.rebuild()
  expect(await ask(cold)).toEqual(warm)
})

test('what another handle writes is in the next answer', async () => {
  const one = await openStore()
  const two = await openStore(one.directory)
  const ask = async () => {
    const { hits } = await one.recall.recall({
      owner: 'ada',
      text: 'lamp',
      vector: { embedder: 'test', values: [1, 0] },
      at: 1e13,
    })
    return hits.map(({ id, similarity }) => [id.slice(-1), Math.round((similarity ?? 0) * 100)])
  }
  await two.log.append([observation('a', 'lamp', [1, 0]), observation('b', 'lamp', [1, 1])], ada)
  expect(await ask()).toEqual([
    ['a', 100],
    ['b', 71],
  ])
  await two.log.append([observation('b', 'a lamp', [2, 0.1])], ada)
  await two.log.redact('v1:sample:observation:a', ada)
  expect(await ask()).toEqual([['b', 100]])
})

test('a version that is found as before writes nothing to what recall keeps, and takes its vector through a rebuild', async () => {
  const { log, recall, path } = await openStore()
  const { DatabaseSync } = await loadSqlite()
  const reader = new DatabaseSync(path, { readOnly: true })
  onTestFinished(() => reader.close())
  const kept = () => [
    reader.prepare('select * from recall').all(),
    reader.prepare('select * from stirred').all(),
    reader.prepare('select count(*) as words from words').all(),
  ]
  const plan = { concept: 'v1:sample:plan', id: 'p', mutation: 'move' }
  const vector = { embedder: 'test', values: [1, 0] }
  await log.append([{ ...plan, payload: { goal: 'light the attic' }, vector }], ada)
  const before = kept()
  await log.append([{ ...plan, payload: { status: 'running' } }], ada)
  await log.append([{ ...plan, payload: { status: 'done' } }], ada)
  expect(kept()).toEqual(before)
  const found = async () => {
    const { hits } = await recall.recall({ owner: 'ada', text: 'attic', vector, at: 1e13 })
    return hits.map(({ version, status, similarity }) => [version, status, similarity])
  }
  expect(await found()).toEqual([[3, 'done', 1]])
  expect(await log.check()).toMatchObject({ ok: true })
  await log.rebuild()
  expect(await found()).toEqual([[3, 'done', 1]])
  await log.append([{ ...plan, payload: { goal: 'light the cellar' } }], ada)
  expect(kept()).not.toEqual(before)
  expect(await found()).toEqual([[4, 'done', undefined]])
})

test('a check finds a row of recall that stands for another text', async () => {
  const { log, path } = await openStore()
  await log.append([observation('o', 'lamp'), observation('p', 'fuse')], ada)
  const { DatabaseSync } = await loadSqlite()
  const writer = new DatabaseSync(path)
  writer.exec('update recall set active = 0 where seq = 1')
  writer.close()
  const { problems } = await log.check()
  expect(problems).toEqual([expect.stringContaining('v1:sample:observation:o is not the fold')])
})
