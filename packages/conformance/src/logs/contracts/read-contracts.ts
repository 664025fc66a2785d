import type { FeedEvent, NodeLog } from '@agentm/nodes'
import { ada, bob, belief, beliefId, move, observation, observationId, plan, planId, step, stepId } from '../drafts.ts'
import type { LogContract } from '../log-contract.ts'
import { logMust as must } from '../log-must.ts'

export const readContracts: readonly LogContract[] = [
  {
    id: 'scan-filters',
    sentence: 'a scan filters by concept, partition, status, parent, relation and id, in log order, page by page',
    async check({ store: { log } }) {
      await log.append([plan('p'), step('a', { planId: 'p' }), step('b', { planId: 'p', dependsOn: ['a'] })], ada)
      await log.append([step('c'), observation('o', 'text')], { ...ada, partition: 'cellar' })
      await log.append([move('a', { status: 'ready' })], ada)
      await log.append([belief('m', { content: 'm', sourceEpisodes: [observationId('o')] })], ada)
      const ids = async (query: object) => (await log.scan({ owner: 'ada', ...query })).nodes.map(({ id }) => id)
      must.equal(await ids({ concepts: ['v1:sample:step'] }), [stepId('b'), stepId('c'), stepId('a')], 'one concept')
      must.equal(await ids({ partition: 'cellar' }), [stepId('c'), observationId('o')], 'one partition')
      must.equal(await ids({ status: 'pending' }), [stepId('b'), stepId('c')], 'one status')
      must.equal(await ids({ status: ['ready', 'active'] }), [stepId('a'), beliefId('m')], 'two statuses')
      must.equal(
        await ids({ parent: planId('p'), order: 'newest' }),
        [stepId('a'), stepId('b')],
        'children, newest first',
      )
      must.equal(
        await ids({ parent: [planId('none'), planId('p')], concepts: ['v1:sample:step'] }),
        [stepId('b'), stepId('a')],
        'children of several nodes',
      )
      must.equal(
        await ids({ parent: planId('p'), maxRemaining: 0 }),
        [stepId('a')],
        'children without open dependencies',
      )
      await log.append([plan('q'), step('d', { planId: 'q' })], ada)
      const absent = Array.from({ length: 9 }, (_, i) => planId(`absent-${i}`))
      must.equal(await ids({ parent: [planId('p')] }), [stepId('b'), stepId('a')], 'children of a list of one')
      must.equal(
        await ids({ parent: [planId('q'), planId('p'), ...absent], concepts: ['v1:sample:step'] }),
        [stepId('b'), stepId('a'), stepId('d')],
        'children of several nodes, in log order',
      )
      must.equal(await ids({ parent: [] }), [], 'children of no node')
      must.equal(
        await ids({ related: { field: 'sourceEpisodes', to: observationId('o') } }),
        [beliefId('m')],
        'a relation',
      )
      must.equal(await ids({ ids: [planId('p'), planId('none')] }), [planId('p')], 'ids')
      must.equal(await pages(log, { limit: 2 }), await ids({}), 'all pages together')
      must.equal(
        await pages(log, { limit: 2, order: 'newest' }),
        (await ids({})).toReversed(),
        'all pages, newest first',
      )
    },
  },
  {
    id: 'latest-first',
    sentence: 'a scan by status looks at newest versions only',
    async check({ store: { log } }) {
      await log.append([step('a')], ada)
      await log.append([move('a', { status: 'ready' })], ada)
      must.equal((await log.scan({ owner: 'ada', status: 'pending' })).nodes, [], 'heads in a status they left')
      const all = await log.scan({ owner: 'ada', versions: 'all', status: 'ready' })
      must.equal(
        all.nodes.map(({ version }) => version),
        [1, 2],
        'every version of what matches by its head',
      )
      const after = await log.scan({ owner: 'ada', versions: 'all', after: all.nodes[0]?.seq ?? 0 })
      must.equal(
        after.nodes.map(({ version }) => version),
        [2],
        'versions behind a sequence number',
      )
    },
  },
  {
    id: 'feed-in-order',
    sentence: 'a feed gives every version once, in order, from where it was asked, and ends by its signal',
    async check({ store: { log } }) {
      await log.append([step('a')], ada)
      const start = await log.position()
      await log.append([move('a', { status: 'ready' }), observation('o', 'one')], ada)
      await log.append([step('b')], bob)
      const events = await collect(log, { after: start, concepts: ['v1:sample:step'] }, 2, async () => {
        await log.append([move('a', { status: 'running' })], ada)
      })
      must.equal(
        events.map(({ node, oldStatus }) => [node.id, node.version, oldStatus, node.status]),
        [
          [stepId('a'), 2, 'pending', 'ready'],
          [stepId('a'), 3, 'ready', 'running'],
        ],
        'events of ada’s steps',
      )
      must.equal(
        events[0]?.topics,
        ['graph.node.created.v1:sample:step', 'graph.node.updated.v1:sample:step'],
        'topics of an update',
      )
      const stopped = AbortSignal.abort()
      for await (const event of log.feed({ owner: 'ada', after: 0, signal: stopped }))
        must.equal(event, undefined, 'an event after the signal')
    },
  },
  {
    id: 'feed-wakes',
    sentence: 'a feed that waits learns of a new version within a second, and starts at now unless told otherwise',
    async check({ store: { log } }) {
      await log.append([step('old')], ada)
      const stop = new AbortController()
      const arriving = firstOf(log, stop.signal)
      const written = new Map<string, number>()
      // The start of the feed cannot be observed, so versions are appended until it reports one.
      for (let i = 0; i < 25 && !(await isSettled(arriving, 200)); i++) {
        await log.append([step(`new${i}`)], ada)
        written.set(stepId(`new${i}`), Date.now())
      }
      stop.abort()
      const arrived = await arriving
      const since = written.get(arrived?.id ?? '') ?? -Infinity
      must.hold((arrived?.at ?? Infinity) - since < 1_500, 'it tells of what came after it began, in time')
    },
  },
  {
    id: 'redaction',
    sentence: 'redaction empties every version, appends one that says so, and takes no further writes',
    async check({ store: { log, recall } }) {
      await log.append([observation('o', 'the secret is plugh'), observation('q', 'nothing of note')], ada)
      await log.append([observation('o', 'the secret is still plugh')], ada)
      const gone = await log.redact(observationId('o'), ada)
      must.equal([gone?.redacted, gone?.version, gone?.createdBy], [true, 3, 'contract'], 'the last version')
      const everything = JSON.stringify([
        await log.history(observationId('o'), ada),
        await log.latest(observationId('o'), ada),
        (await log.scan({ owner: 'ada', versions: 'all' })).nodes,
        (await recall.recall({ owner: 'ada', text: 'secret plugh' })).hits,
      ])
      must.hold(!everything.includes('plugh'), 'the text is nowhere')
      must.equal(
        (await log.history(observationId('o'), ada)).map(({ redacted }) => redacted),
        [true, true, true],
        'marks',
      )
      await must.refuse(() => log.append([observation('o', 'new')], ada), 'REDACTED_NODE', 'a write afterwards')
      must.equal((await log.redact(observationId('o'), ada))?.version, 3, 'a second redaction changes nothing')
      must.equal((await log.check()).problems, [], 'problems afterwards')
    },
  },
  {
    id: 'redaction-keeps-structure',
    sentence: 'a redacted step keeps its status and its dependents',
    async check({ store: { log } }) {
      await log.append([step('a'), step('b', { dependsOn: ['a'] })], ada)
      await log.append(
        ['ready', 'running', 'done'].map((status) => move('a', { status })),
        ada,
      )
      await log.redact(stepId('a'), ada)
      must.equal((await log.latest(stepId('a'), ada))?.status, 'done', 'the status of the redacted step')
      await log.rebuild()
      must.equal((await log.latest(stepId('b'), ada))?.remaining, 0, 'open dependencies after a rebuild')
    },
  },
  {
    id: 'heads-are-a-fold',
    sentence: 'heads, counters and recall rebuilt from the log are the ones kept along the way',
    async check({ store: { log, recall } }) {
      await log.append([plan('p'), step('a', { planId: 'p' }), step('b', { planId: 'p', dependsOn: ['a'] })], ada)
      await log.append([move('a', { status: 'ready' }), move('a', { status: 'running', claimedBy: 's' })], ada)
      await log.append([{ ...plan('p', { paused: true }), update: true }], ada)
      await log.append([observation('o', 'the lamp is green'), belief('m', { content: 'lamps are green' })], ada)
      await log.append([belief('m', { status: 'pruned' }), move('a', { status: 'done' })], ada)
      const seen = async () => ({
        heads: (await log.scan({ owner: 'ada' })).nodes,
        hits: (await recall.recall({ owner: 'ada', text: 'green lamp', at: 1e12 })).hits,
        related: (await log.scan({ owner: 'ada', related: { field: 'dependsOn', to: stepId('a') } })).nodes,
      })
      const before = await seen()
      const told: string[] = []
      await log.rebuild({ onProgress: (done, total) => told.push(`${done} of ${total}`) })
      must.equal(told.at(-1), '5 of 5', 'how much of the rebuild is done, in the end')
      must.equal(await seen(), before, 'what is seen after a rebuild')
      must.equal((await log.check()).problems, [], 'problems afterwards')
    },
  },
  {
    id: 'owners-listed',
    sentence: 'owners with versions behind a sequence number are listed',
    async check({ store: { log } }) {
      await log.append([step('a')], ada)
      const start = await log.position()
      await log.append([step('b')], bob)
      must.equal([await log.owners(), await log.owners({ after: start })], [['ada', 'bob'], ['bob']], 'owners')
    },
  },
  {
    id: 'closing',
    sentence: 'a closed store refuses, and its feeds have ended',
    async check({ store }) {
      const feed = collect(store.log, {}, 1, () => store.close())
      must.equal(await feed, [], 'events of a closed store')
      await store.close()
      await must.refuse(() => store.log.append([step('a')], ada), 'STORE_CLOSED', 'an append after close')
      await must.refuse(() => store.log.latest(stepId('a'), ada), 'STORE_CLOSED', 'a read after close')
    },
  },
  {
    id: 'survives-reopening',
    sentence: 'what was acknowledged is there when the store is opened again, and a second handle sees it at once',
    needs: ['reopening'],
    async check({ store, reopen }) {
      await store.log.append([step('a'), observation('o', 'a green lamp')], ada)
      const second = await reopen()
      must.equal((await second.log.latest(stepId('a'), ada))?.version, 1, 'seen by a second handle')
      await second.log.append([move('a', { status: 'ready' })], ada)
      must.equal((await store.log.latest(stepId('a'), ada))?.status, 'ready', 'seen by the first handle')
      await store.close()
      await second.close()
      const third = await reopen()
      must.equal((await third.log.history(stepId('a'), ada)).length, 2, 'versions after reopening')
      const { hits } = await third.recall.recall({ owner: 'ada', text: 'green' })
      must.equal(
        hits.map(({ id }) => id),
        [observationId('o')],
        'recall after reopening',
      )
      must.equal((await third.log.check()).problems, [], 'problems after reopening')
    },
  },
]

async function pages(log: NodeLog, query: { limit: number; order?: 'newest' }): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await log.scan({ owner: 'ada', ...query, ...(cursor === undefined ? {} : { cursor }) })
    must.hold(page.nodes.length <= query.limit, 'a page keeps its limit')
    ids.push(...page.nodes.map(({ id }) => id))
    cursor = page.cursor
  } while (cursor !== undefined)
  return ids
}

/** The first `count` events; `meanwhile` runs while the feed waits. */
async function collect(
  log: NodeLog,
  options: { after?: number; concepts?: string[] },
  count: number,
  meanwhile: () => Promise<void>,
): Promise<readonly FeedEvent[]> {
  const stop = new AbortController()
  const events: FeedEvent[] = []
  const reading = (async () => {
    for await (const event of log.feed({ owner: 'ada', signal: stop.signal, ...options }))
      if (events.push(event) === count) stop.abort()
  })()
  await new Promise((resume) => setTimeout(resume, 30))
  await meanwhile()
  const late = setTimeout(() => stop.abort(), 5_000)
  await reading
  clearTimeout(late)
  return events
}

/** The first version that a feed from now on reports, and when it did. */
async function firstOf(
  log: NodeLog,
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly at: number } | undefined> {
  for await (const { node } of log.feed({ owner: 'ada', signal })) return { id: node.id, at: Date.now() }
  return undefined
}

async function isSettled(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  const later = new Promise<false>((resolve) => setTimeout(() => resolve(false), withinMs))
  return Promise.race([work.then(() => true), later])
}
