import type { Session, TakeOptions, WorkLog } from '@agentm/nodes'
import { ada, bob, move, plan, planId, readySteps, step, stepId } from '../drafts.ts'
import type { LogContract } from '../log-contract.ts'
import { logMust as must } from '../log-must.ts'

const leaseMs = 60_000
const concepts = ['v1:sample:step']

export const workContracts: readonly LogContract[] = [
  {
    id: 'claims-once',
    sentence: 'a ready step is claimed by one taker, as a version that names the session',
    async check({ store, scale }) {
      const { log, work } = store
      const ids = Array.from({ length: 40 * scale }, (_, i) => `s${i}`)
      await readySteps(store, ids)
      const sessions = await Promise.all([1, 2, 3, 4].map((i) => openSession(work, `worker ${i}`)))
      const taken = await Promise.all(
        Array.from({ length: 60 * scale }, (_, i) => take(work, sessions[i % 4], { k: 1, perPartition: 1e6 })),
      )
      const won = taken.flat().map(({ id }) => id)
      must.equal(won.toSorted(), ids.map(stepId).toSorted(), 'claimed steps, each once')
      // Any of them may be served last, including the first caller.
      const winner = taken.findIndex((claims) => claims.length > 0)
      const [session, first] = [sessions[winner % 4]?.id, taken[winner]?.[0]]
      must.equal(
        [first?.status, first?.version, first?.provenanceMutation],
        ['running', 3, 'startSampleStep'],
        'a claim',
      )
      must.equal(first?.session, session, 'the session a claim names')
      must.equal((await log.latest(first?.id ?? '', ada))?.session, session, 'the session the head names')
    },
  },
  {
    id: 'partition-limit',
    sentence: 'no more than the limit run at once in one partition, whoever takes',
    async check({ store }) {
      await readySteps(store, ['a', 'b', 'c', 'd', 'e', 'f'])
      const { work, log } = store
      const session = await openSession(work)
      const first = await take(work, session, { k: 10 })
      must.equal(first.length, 4, 'running by the default limit')
      must.equal((await take(work, await openSession(work), { k: 10 })).length, 0, 'more for another session')
      await log.append([{ ...move('a', { status: 'done' }) }], ada)
      must.equal(
        (await take(work, session, { k: 10 })).map(({ id }) => id),
        [stepId('e')],
        'the next when one is done',
      )
    },
  },
  {
    id: 'oldest-first',
    sentence: 'within a partition the step that became ready first is taken first',
    async check({ store }) {
      await readySteps(store, ['b', 'a', 'c'])
      const taken = await take(store.work, await openSession(store.work), { k: 2 })
      must.equal(
        taken.map(({ id }) => id),
        [stepId('b'), stepId('a')],
        'the order of claims',
      )
    },
  },
  {
    id: 'fair-partitions',
    sentence:
      'small partitions are served before a crowded one gets its second turn, and a late one gets an equal share',
    async check({ store }) {
      await readySteps(
        store,
        Array.from({ length: 30 }, (_, i) => `c${i}`),
        { ...ada, partition: 'crowd' },
      )
      for (const i of [1, 2, 3]) await readySteps(store, [`t${i}`], { ...ada, partition: `tenant${i}` })
      const session = await openSession(store.work)
      const taken = await take(store.work, session, { k: 6, perPartition: 100 })
      must.equal(taken.filter(({ partition }) => partition !== 'crowd').length, 3, 'small tenants among the first six')
      await readySteps(
        store,
        Array.from({ length: 30 }, (_, i) => `l${i}`),
        { ...ada, partition: 'late' },
      )
      const next = await take(store.work, session, { k: 18, perPartition: 100 })
      const late = next.filter(({ partition }) => partition === 'late').length
      must.hold(late >= 8 && late <= 10, `a partition that comes late gets about 9 of 18, and it got ${late}`)
    },
  },
  {
    id: 'take-scope',
    sentence: 'only steps of the named owners and partition are taken, and nothing below a held parent',
    async check({ store }) {
      const { log, work } = store
      await log.append([plan('p'), plan('q')], ada)
      await readySteps(store, ['a'], ada, { planId: 'p' })
      await readySteps(store, ['b'], { ...ada, partition: 'cellar' }, { planId: 'q' })
      await readySteps(store, ['x'], bob)
      await log.append([{ ...plan('p', { paused: true }), update: true }], ada)
      const session = await openSession(work)
      must.equal(await take(work, session, { partition: 'attic' }), [], 'what a paused plan holds')
      must.equal(
        (await take(work, session)).map(({ id }) => id),
        [stepId('b')],
        'ada’s free step',
      )
      await log.append([{ ...plan('p', { paused: false }), update: true }], ada)
      must.equal(
        (await take(work, session)).map(({ id }) => id),
        [stepId('a')],
        'the step of a resumed plan',
      )
      const both = await take(work, session, { owners: ['ada', 'bob'] })
      must.equal(
        both.map(({ id, owner }) => [id, owner]),
        [[stepId('x'), 'bob']],
        'a step of another named owner',
      )
    },
  },
  {
    id: 'take-children',
    sentence: 'a taker that names parents gets their children, whatever else is ready before them',
    async check({ store }) {
      const { log, work } = store
      await log.append([plan('p'), plan('q'), plan('r')], ada)
      const others = Array.from({ length: 6 }, (_, i) => `other${i}`)
      await readySteps(store, others, ada, { planId: 'p' })
      await readySteps(store, ['mine'], ada, { planId: 'q' })
      await readySteps(store, ['far'], { ...ada, partition: 'cellar' }, { planId: 'r' })
      const session = await openSession(work)
      must.equal(await take(work, session, { parents: [] }), [], 'children of nobody')
      const parents = [planId('q'), planId('r')]
      must.equal(
        (await take(work, session, { parents, partition: 'cellar' })).map(({ id }) => id),
        [stepId('far')],
        'children in one partition',
      )
      must.equal(
        (await take(work, session, { parents })).map(({ id }) => id),
        [stepId('mine')],
        'children of the named parents',
      )
      must.equal(await take(work, session, { parents }), [], 'what is left of them')
      must.equal((await take(work, session, { k: 2 })).length, 2, 'steps for whoever names no parents')
      await log.append([{ ...plan('p', { paused: true }), update: true }], ada)
      must.equal(await take(work, session, { parents: [planId('p')] }), [], 'children of a paused parent')
    },
  },
  {
    id: 'take-kinds',
    sentence: 'what is of a kind the taker does not name is left ready, and hides nothing behind it',
    async check({ store }) {
      const { log, work } = store
      const strange = Array.from({ length: 6 }, (_, i) => `strange${i}`)
      await readySteps(store, strange, ada, { kind: 'strange' })
      for (const i of [0, 1, 2, 3, 4])
        await readySteps(store, [`far${i}`], { ...ada, partition: `cellar${i}` }, { kind: 'strange' })
      await readySteps(store, ['known'], ada, { kind: 'known' })
      await readySteps(store, ['silent'], ada)
      const session = await openSession(work)
      must.equal(await take(work, session, { kinds: [] }), [], 'steps for whoever runs nothing')
      must.equal(
        (await take(work, session, { kinds: ['known'], k: 1 })).map(({ id }) => id),
        [stepId('known')],
        'the step of a named kind',
      )
      must.equal(
        (await take(work, session, { kinds: ['plain', 'other'], k: 1 })).map(({ id }) => id),
        [stepId('silent')],
        'a step that says no kind',
      )
      must.equal((await log.latest(stepId('strange0'), ada))?.version, 2, 'versions of a step that nobody here runs')
      must.equal((await take(work, session, { kinds: ['strange'], k: 1 })).length, 1, 'a step for who runs its kind')
    },
  },
  {
    id: 'fencing',
    sentence: 'after a claim is taken away, every write that expects its version is refused',
    async check({ store }) {
      await readySteps(store, ['a'])
      const { log, work } = store
      const zombie = await openSession(work, 'zombie')
      const [claim] = await take(work, zombie)
      const fence = { [stepId('a')]: claim?.version ?? 0 }
      await log.append([move('a', { status: 'failed' }), move('a', { status: 'ready', attempt: 1 })], {
        ...ada,
        expects: fence,
      })
      const [again] = await take(work, await openSession(work, 'heir'))
      await must.refuse(
        () => log.append([move('a', { status: 'done', result: { by: 'zombie' } })], { ...ada, expects: fence }),
        'VERSION_CONFLICT',
        'the completion of a lost claim',
      )
      const heir = { [stepId('a')]: again?.version ?? 0 }
      await log.append([move('a', { status: 'done', result: { by: 'heir' } })], { ...ada, expects: heir })
      must.equal((await log.latest(stepId('a'), ada))?.payload['result'], { by: 'heir' }, 'the result that counts')
      must.equal((await work.renew(zombie.id, { leaseMs }))?.claims, [], 'claims of the first session')
    },
  },
  {
    id: 'sessions-renew',
    sentence: 'a renewal answers what the session runs, and says when a parent holds it',
    async check({ store }) {
      const { log, work } = store
      await log.append([plan('p')], ada)
      await readySteps(store, ['a'], ada, { planId: 'p' })
      const session = await openSession(work)
      must.equal(
        (await work.sessions()).map(({ id, facts }) => [id, facts]),
        [[session.id, { pid: '1' }]],
        'sessions',
      )
      await take(work, session)
      const claims = async () => (await work.renew(session.id, { leaseMs }))?.claims
      must.equal(await claims(), [{ id: stepId('a'), version: 3, held: false }], 'the claims of a session')
      await log.append([{ ...plan('p', { status: 'cancelled' }), update: true }], ada)
      must.equal(await claims(), [{ id: stepId('a'), version: 3, held: true }], 'the claims under a cancelled plan')
      await work.closeSession(session.id)
      must.equal(await claims(), undefined, 'a renewal after the end')
      await must.refuse(() => take(work, session), 'SESSION_LOST', 'a take after the end')
    },
  },
  {
    id: 'abandoned-work',
    sentence: 'running steps of ended sessions are found, with the reason, and those of live ones are not',
    async check({ store }) {
      const { work } = store
      await readySteps(store, ['a', 'b', 'c'])
      const short = await work.openSession({ actor: 'short', leaseMs: 600 })
      const closed = await openSession(work)
      const alive = await openSession(work)
      for (const session of [short, closed, alive]) await take(work, session, { k: 1 })
      await work.closeSession(closed.id)
      await new Promise((resume) => setTimeout(resume, 700))
      const found = await work.abandoned({ owners: ['ada'] })
      must.equal(
        found.map(({ node, session, why }) => [node.id, session, why]),
        [
          [stepId('a'), short.id, 'lease'],
          [stepId('b'), closed.id, 'closed'],
        ],
        'abandoned steps',
      )
      must.equal(await work.renew(short.id, { leaseMs }), undefined, 'the renewal of an ended lease')
      must.equal(await work.abandoned({ owners: ['bob'] }), [], 'abandoned steps of somebody else')
    },
  },
  {
    id: 'timers',
    sentence: 'nodes whose timer has come are listed, earliest first, and no longer once they moved on',
    async check({ store }) {
      const { log, work } = store
      const now = await work.now()
      const times: Readonly<Record<string, number>> = { late: now + 3_600_000, due: now - 10, overdue: now - 20 }
      await readySteps(store, Object.keys(times))
      for (const [id, retryAt] of Object.entries(times))
        await log.append([move(id, { status: 'running' }), move(id, { status: 'failed', retryAt })], ada)
      const due = async () => (await work.due({ owners: ['ada'] })).map(({ id }) => id)
      must.equal(await due(), [stepId('overdue'), stepId('due')], 'due nodes')
      must.equal(await work.nextDue({ owners: ['ada'] }), times['overdue'], 'the next timer')
      for (const id of ['due', 'overdue']) await log.append([move(id, { status: 'ready', attempt: 1 })], ada)
      must.equal(await due(), [], 'due nodes after they moved on')
      must.equal(await work.nextDue({ owners: ['ada'] }), times['late'], 'the next timer after that')
    },
  },
  {
    id: 'tally',
    sentence: 'children are counted by status',
    async check({ store }) {
      await store.log.append([plan('p'), ...['a', 'b', 'c'].map((id) => step(id, { planId: 'p' }))], ada)
      await store.log.append([move('a', { status: 'ready' })], ada)
      const tally = await store.work.tally(planId('p'), { owner: 'ada', concept: 'v1:sample:step' })
      must.equal([tally['pending'], tally['ready'], tally['done']], [2, 1, undefined], 'children by status')
    },
  },
]

function openSession(work: WorkLog, actor = 'worker'): Promise<Session> {
  return work.openSession({ actor, leaseMs, facts: { pid: '1' } })
}

function take(work: WorkLog, session: Session | undefined, more: Partial<TakeOptions> = {}) {
  return work.take({ session: session?.id ?? '', owners: ['ada'], concepts, actor: 'worker', k: 4, ...more })
}
