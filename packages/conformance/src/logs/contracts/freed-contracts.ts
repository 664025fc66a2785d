import type { AppendOptions, FreedDraft, NodeStore, Payload } from '@agentm/nodes'
import { ada, move, step, stepId, stepIn } from '../drafts.ts'
import type { LogContract } from '../log-contract.ts'
import { logMust as must } from '../log-must.ts'
import { sampleStep } from '../sample-concepts.ts'

/** The version that makes an unblocked step ready. */
export const freed: FreedDraft = {
  concept: sampleStep.name,
  status: 'pending',
  payload: { status: 'ready' },
  mutation: 'freeSampleStep',
}

export const freedContracts: readonly LogContract[] = [
  {
    id: 'freed-dependents',
    sentence: 'an append that ends what others waited for writes what it says of those that wait for nothing more',
    async check({ store }) {
      for (const id of ['a', 'b', 'c']) await stepIn(store, id, 'running')
      await waiting(store, { one: ['a'], two: ['a', 'b'], chain: ['one'] })
      const nodes = await end(store, ['a'], { freed, actor: 'ender' })
      must.equal(
        nodes.map(({ id }) => id),
        [stepId('a')],
        'versions of the drafts',
      )
      must.equal(await states(store, ['one', 'two', 'chain']), ['2 ready', '1 pending', '1 pending'], 'after the first')
      const [, written] = await store.log.history(stepId('one'), ada)
      const { createdBy, provenanceMutation, partition } = written ?? {}
      must.equal([createdBy, provenanceMutation, partition], ['ender', 'freeSampleStep', 'attic'], 'who wrote what')
      await end(store, ['b'], {})
      must.equal(await states(store, ['two']), ['1 pending'], 'after an append that says nothing of them')
      await waiting(store, { late: ['c'] })
      await store.log.append([move('c', { title: 'not over' })], { ...ada, freed })
      must.equal(await states(store, ['late']), ['1 pending'], 'after an append that ends nothing')
      await store.log.append([move('c', { status: 'done' }), step('new', { dependsOn: ['c'] })], { ...ada, freed })
      must.equal(await states(store, ['late', 'new']), ['2 ready', '2 ready'], 'with one that came in the same append')
      must.equal((await store.log.check()).problems, [], 'problems afterwards')
    },
  },
  {
    id: 'freed-touched',
    sentence:
      'of those that wait for nothing more, the redacted, those in another status and the refused stay as they are',
    async check({ store }) {
      for (const id of ['a', 'b']) await stepIn(store, id, 'running')
      await waiting(store, { plain: ['a'], touched: ['a'], empty: ['a'], ahead: ['a'] })
      await store.log.append([move('touched', { title: 'another' })], ada)
      await store.log.append([move('ahead', { status: 'ready' })], ada)
      await store.log.redact(stepId('empty'), { owner: 'ada', actor: 'contract' })
      await end(store, ['a'], { freed })
      const after = await states(store, ['plain', 'touched', 'empty', 'ahead'])
      must.equal(after, ['2 ready', '3 ready', '2 pending', '2 ready'], 'dependents of the first')
      for (const [id, attempt] of [
        ['due', 0],
        ['spent', 5],
      ] as const)
        await stepIn(store, id, 'failed', ada, { dependsOn: ['b'], attempt })
      await waiting(store, { pending: ['b'] })
      const again = { ...freed, status: 'failed', payload: { status: 'ready', attempt: 3 } }
      await end(store, ['b'], { freed: again })
      const others = await states(store, ['b', 'due', 'spent', 'pending'])
      must.equal(others, ['4 done', '5 ready', '4 failed', '1 pending'], 'dependents of the second')
    },
  },
  {
    id: 'freed-once',
    sentence: 'of appends that end the last of several dependencies at once, each dependent is written by exactly one',
    async check({ store, scale }) {
      const ids = numbered('a', 8)
      for (const id of ids) await stepIn(store, id, 'running')
      const joins = numbered('join', 20 * scale)
      await waiting(store, Object.fromEntries(joins.map((join) => [join, ids])))
      await Promise.all(ids.map(async (id) => end(store, [id], { freed })))
      must.equal(
        await states(store, joins),
        joins.map(() => '2 ready'),
        'what waited for all of them',
      )
      for (const id of ['x', 'y']) await stepIn(store, id, 'running')
      await waiting(store, { both: ['x', 'y'] })
      await end(store, ['x', 'y'], { freed })
      must.equal(await states(store, ['both']), ['2 ready'], 'what waited for two that end together')
    },
  },
  {
    id: 'freed-crowd',
    sentence: 'thousands that waited for one step are written at once',
    async check({ store, scale }) {
      await stepIn(store, 'root', 'running')
      const crowd = numbered('s', 2000 * scale)
      await waiting(store, Object.fromEntries(crowd.map((id) => [id, ['root']])))
      await end(store, ['root'], { freed })
      const tally = await store.log.scan({ owner: 'ada', status: 'ready', limit: 10_000 })
      must.equal(tally.nodes.length, Math.min(crowd.length, 10_000), 'ready steps')
      const first = tally.nodes.slice(0, 3).map(({ id }) => id)
      must.equal(first, ['s0', 's1', 's2'].map(stepId), 'the first of them, in the order of the log')
      must.equal((await store.log.check()).problems, [], 'problems afterwards')
    },
  },
  {
    id: 'freed-race',
    sentence: 'of several processes that end dependencies at once, one alone writes what waited for all of them',
    needs: ['processes'],
    async check({ store, crew, scale }) {
      const [mates, joins] = [4, 40 * scale]
      const ids = numbered('j', joins)
      for (const id of ids) {
        const dependsOn = numbered(`${id}x`, mates)
        for (const each of dependsOn) await stepIn(store, each, 'running')
        await waiting(store, { [id]: dependsOn })
      }
      const crowd = Array.from({ length: mates }, (_, mate) => crew.start({ do: 'end', joins, mate }))
      await Promise.all(crowd.map((mate) => mate.done()))
      must.equal(
        await states(store, ids),
        ids.map(() => '2 ready'),
        'what waited for one step of each process',
      )
      must.equal((await store.log.check()).problems, [], 'problems afterwards')
    },
  },
  {
    id: 'freed-killed',
    sentence: 'a process killed while it ends dependencies leaves dependents that are written, or that a look finds',
    needs: ['processes'],
    async check({ store, crew }) {
      for (const round of [0, 1, 2]) {
        const ids = numbered(`r${round}j`, 300)
        await store.log.append(
          ids.flatMap((id) => [
            step(`${id}x0`),
            ...['ready', 'running'].map((status) => move(`${id}x0`, { status })),
            step(id, { dependsOn: [`${id}x0`] }),
          ]),
          ada,
        )
        const mate = crew.start({ do: 'end', joins: ids.length, mate: 0, prefix: `r${round}` })
        await mate.saidSoMany(5 + 29 * round)
        await mate.kill()
        const query = { owner: 'ada', ids: ids.map(stepId), status: 'pending' }
        const found = await store.log.scan({ ...query, maxRemaining: 0 })
        const ended = await store.log.scan({ ...query, ids: ids.map((id) => stepId(`${id}x0`)), status: 'done' })
        const ready = await store.log.scan({ ...query, status: 'ready' })
        must.equal(found.nodes.length + ready.nodes.length, ended.nodes.length, 'dependents of what was ended')
        must.hold(found.nodes.length <= 1, 'one at most was left to be found')
      }
    },
  },
]

async function waiting(store: NodeStore, graph: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await store.log.append(
    Object.entries(graph).map(([id, dependsOn]) => step(id, { dependsOn })),
    ada,
  )
}

async function end({ log }: NodeStore, ids: readonly string[], options: Partial<AppendOptions>) {
  const done: Payload = { status: 'done' }
  return log.append(
    ids.map((id) => move(id, done)),
    { ...ada, ...options },
  )
}

/** Version and status of each. */
async function states({ log }: NodeStore, ids: readonly string[]): Promise<readonly string[]> {
  const heads = await Promise.all(ids.map(async (id) => log.latest(stepId(id), ada)))
  return heads.map((head) => `${head?.version} ${head?.status}`)
}

function numbered(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`)
}
