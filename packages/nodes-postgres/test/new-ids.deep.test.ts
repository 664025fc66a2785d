/** Ids that a caller names are taken for new where this process does not know them; what is there already is changed all the same. */
import { type NodeLog, NodesError } from '@agentm/nodes'
import { openContext } from '../src/open-context.ts'
import { postgresLog } from '../src/postgres-log.ts'
import { sampleBelief, sampleConcepts } from '@agentm/conformance/logs'
import { expect, onTestFinished, test } from 'vitest'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { ada, observation, step } from './sample-store.ts'

const server = ownPostgres()

/** A store that has just written new ids, one after another. */
async function assuredStore() {
  const schema = server().newSchema()
  const opened = await openContext({
    url: server().url,
    schema,
    concepts: sampleConcepts,
    runtime: { now: () => 1000 },
  })
  onTestFinished(() => opened.close())
  const log = postgresLog(opened.context)
  for (const id of ['a', 'b', 'c', 'd']) await log.append([observation('new', id)], ada)
  for (const id of ['a', 'b', 'c', 'd']) await log.append([step(id)], ada)
  return { log, schema, database: opened.context.database }
}

/** In another process, as far as this one can tell. */
async function elsewhere(schema: string, work: (log: NodeLog) => Promise<unknown>): Promise<void> {
  const opened = await openContext({
    url: server().url,
    schema,
    concepts: sampleConcepts,
    runtime: { now: () => 1000 },
  })
  await work(postgresLog(opened.context))
  await opened.close()
}

/** Statements sent meanwhile; one of them tells other processes. */
async function questions(database: { statements: number }, work: () => Promise<unknown>): Promise<number> {
  // The notification of the appends before has gone out by then.
  await new Promise((resolve) => setTimeout(resolve, 100))
  const before = database.statements
  await work()
  return database.statements - before
}

test('an append of an id nobody used asks nothing first, also after one that somebody had used', async () => {
  const { log, schema, database } = await assuredStore()
  // One writes, one tells; a look comes before, and after a wrong guess a second write.
  expect(await questions(database, async () => log.append([observation('new', 'e')], ada))).toBe(2)
  await elsewhere(schema, async (other) => other.append([observation('theirs', 'x')], ada))
  expect(await questions(database, async () => log.append([observation('changed', 'x')], ada))).toBe(4)
  expect(await questions(database, async () => log.append([observation('new', 'f')], ada))).toBe(2)
})

test('what this process wrote last is changed without a look', async () => {
  const { log, database } = await assuredStore()
  await log.append([{ ...step('a'), payload: { status: 'ready' } }], ada)
  expect(await questions(database, async () => log.append([{ ...step('a'), payload: { title: 'b' } }], ada))).toBe(2)
  expect(await log.latest('v1:sample:step:a', ada)).toMatchObject({
    version: 3,
    payload: { title: 'b', status: 'ready' },
  })
})

test('what somebody else wrote and this process has just read is changed without another look', async () => {
  const { log, schema, database } = await assuredStore()
  await elsewhere(schema, async (other) => other.append([step('x')], ada))
  const written = await questions(database, async () => {
    expect(await log.latest('v1:sample:step:x', ada)).toMatchObject({ version: 1 })
    await log.append([{ ...step('x'), payload: { status: 'ready' } }], ada)
  })
  // One reads, one writes, one tells.
  expect(written).toBe(3)
  await log.latest('v1:sample:step:x', ada)
  await elsewhere(schema, async (other) => other.append([{ ...step('x'), payload: { title: 'theirs' } }], ada))
  await log.append([{ ...step('x'), payload: { status: 'running' } }], ada)
  expect(await log.latest('v1:sample:step:x', ada)).toMatchObject({
    version: 4,
    payload: { title: 'theirs', status: 'running' },
  })
})

test('what somebody else wrote since is seen, and an expected version refused', async () => {
  const { log, schema } = await assuredStore()
  await elsewhere(schema, async (other) => other.append([{ ...step('a'), payload: { status: 'ready' } }], ada))
  const stale = log.append([{ ...step('a'), payload: { title: 'b' } }], { ...ada, expects: { 'v1:sample:step:a': 1 } })
  await expect(stale).rejects.toMatchObject({ code: 'VERSION_CONFLICT', actual: 2 })
  await elsewhere(schema, async (other) => other.append([observation('theirs', 'a')], ada))
  await log.append([{ ...step('a'), payload: { title: 'b' } }], ada)
  expect(await log.latest('v1:sample:step:a', ada)).toMatchObject({
    version: 3,
    payload: { title: 'b', status: 'ready' },
  })
})

test('what was handed out and changed by its reader is not what is written', async () => {
  const { log } = await assuredStore()
  const [node] = await log.append([{ ...step('a'), payload: { status: 'ready' } }], ada)
  Object.assign(node?.payload ?? {}, { title: 'mine' })
  await log.append([{ ...step('a'), payload: { priority: 1 } }], ada).catch(() => undefined)
  expect(await log.latest('v1:sample:step:a', ada)).toMatchObject({ payload: { title: 'a' } })
})

test('an id wrongly taken for new gets its next version, and leaves no gap', async () => {
  const { log } = await assuredStore()
  const [before] = await log.append([observation('new', 'e')], ada)
  const both = [observation('changed', 'a'), observation('new', 'f')]
  const nodes = await log.append(both, ada)
  expect(nodes.map(({ version }) => version)).toEqual([2, 1])
  expect(nodes.map(({ seq }) => seq)).toEqual([1, 2].map((n) => (before?.seq ?? 0) + n))
})

test('a patch that would be refused as a new node changes the old one', async () => {
  const { log } = await assuredStore()
  const [node] = await log.append([{ ...step('a'), payload: { status: 'ready' } }], ada)
  expect(node).toMatchObject({ version: 2, payload: { title: 'a', status: 'ready' } })
})

test('the row of somebody else is refused, however it was guessed', async () => {
  const { log } = await assuredStore()
  const stolen = log.append([observation('mine now', 'a')], { ...ada, owner: 'eve' })
  await expect(stolen).rejects.toBeInstanceOf(NodesError)
  await expect(stolen).rejects.toHaveProperty('code', 'OWNER_REFUSED')
  expect(await log.latest('v1:sample:observation:a', ada)).toMatchObject({ version: 1, owner: 'ada' })
})

test('of two that take one id for new at once, both are kept', async () => {
  const { log } = await assuredStore()
  const writers = ['one', 'two', 'three'].map(async (content) => log.append([observation(content, 'e')], ada))
  const versions = (await Promise.all(writers)).map(([node]) => node?.version)
  expect(new Set(versions)).toEqual(new Set([1, 2, 3]))
})

test('new nodes are written with what they name and what they say, alone or several at once', async () => {
  const { log } = await assuredStore()
  await log.append([observation('alone', 'e')], ada)
  await log.append([observation('both', 'f'), step('s')], ada)
  await log.append([belief('x')], ada)
  await log.append([belief('y'), belief('z')], ada)
  const { nodes } = await log.scan({ owner: 'ada', related: { field: 'sourceEpisodes', to: 'v1:sample:step:s' } })
  expect(nodes.map(({ id, version }) => [id, version])).toEqual(
    ['x', 'y', 'z'].map((id) => [`${sampleBelief.name}:${id}`, 1]),
  )
  expect(await log.check()).toMatchObject({ ok: true, problems: [], heads: 14 })
})

function belief(id: string) {
  const sourceEpisodes = ['v1:sample:observation:e', 'v1:sample:step:s']
  return { ...observation(id, id), concept: sampleBelief.name, payload: { content: id, sourceEpisodes } }
}
