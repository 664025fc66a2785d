import type { NodeStore, Payload, Session, TakeOptions, WorkLog } from '@agentm/nodes'
import { ada, bob, move, plan, planId, readySteps, stepId } from '../drafts.ts'
import type { LogContract } from '../log-contract.ts'
import { logMust as must } from '../log-must.ts'

const minute = 60_000
const cellar = { ...ada, partition: 'cellar' }

export const flowContracts: readonly LogContract[] = [
  {
    id: 'limit-at-once',
    sentence: 'no more steps with one key run at once than its limit says, over partitions and sessions of one owner',
    async check({ store }) {
      const { log, work } = store
      const limit = { key: 'deploy', atOnce: 2 }
      await readySteps(store, ['a', 'b', 'c'], ada, { limit })
      await readySteps(store, ['d', 'e'], cellar, { limit })
      await readySteps(store, ['x'], bob, { limit })
      await readySteps(store, ['free'], cellar)
      const [one, other] = [await openSession(work), await openSession(work)]
      const first = await takeAll(work, one, { k: 3, owners: ['ada', 'bob'] })
      const limited = first.filter((id) => id !== stepId('free') && id !== stepId('x'))
      must.equal(limited.length, 2, 'running steps with the key')
      must.hold(first.includes(stepId('free')) && first.includes(stepId('x')), 'what the key does not limit is taken')
      must.equal(await takeAll(work, other), [], 'more for another session')
      const [gate, ...others] = await work.gates({ owners: ['ada'] })
      must.equal([gate?.limit?.running, gate?.room, others.length], [2, 0, 0], 'the gate before which steps wait')
      await log.append([{ ...move('a', { status: 'done' }), id: limited[0] ?? '' }], ada)
      must.equal(
        (await work.gates({ owners: ['ada'] })).map(({ room }) => room),
        [1],
        'room when one is done',
      )
      const next = await takeAll(work, other)
      must.equal(next.length, 1, 'steps for the room that one left')
      await log.append([{ ...move('a', { status: 'blocked' }), id: next[0] ?? '' }], ada)
      must.equal((await takeAll(work, other)).length, 1, 'steps for the room that a waiting one left')
      must.equal((await log.check()).problems, [], 'problems afterwards')
    },
  },
  {
    id: 'limit-race',
    sentence: 'a limit holds when many sessions take at once, and every step gets its turn',
    async check({ store, scale }) {
      const limit = { key: 'deploy', atOnce: 3 }
      const count = 24 * scale
      for (let i = 0; i < count; i++)
        await readySteps(store, [`s${i}`], { ...ada, partition: `room${i % 5}` }, { limit: { ...limit } })
      const sessions = await Promise.all(Array.from({ length: 8 }, () => openSession(store.work)))
      const won: string[] = []
      for (let round = 0; round < 4 * count && won.length < count; round++) {
        const taken = await Promise.all(
          sessions.map((session) => take(store.work, session, { k: 2, perPartition: 99 })),
        )
        const winners = taken.flat().map(({ id }) => id)
        must.hold(winners.length <= 3, `at most 3 run at once, not ${winners.length}`)
        await store.log.append(
          winners.map((id) => ({ ...move('s', { status: 'done' }), id })),
          ada,
        )
        won.push(...winners)
      }
      must.equal(new Set(won).size, count, 'steps that were taken')
    },
  },
  {
    id: 'rate-of-starts',
    sentence: 'no more steps with one key start within any span than its rate says, and the next time is named',
    needs: ['clock'],
    async check({ store, setClock }) {
      const { work } = store
      setClock(1e12)
      await readySteps(store, ['a', 'b', 'c'], ada, { rate: { key: 'hub', starts: 2, perMs: minute } })
      await readySteps(store, ['d', 'e'], cellar, { rate: { key: 'hub', starts: 2, perMs: minute } })
      await readySteps(store, ['x'], bob, { rate: { key: 'hub', starts: 2, perMs: minute } })
      const session = await openSession(work)
      const starts = async (at: number) => {
        setClock(1e12 + at)
        const taken = await takeAll(work, session, { k: 1 })
        await store.log.append(
          taken.map((id) => ({ ...move('a', { status: 'done' }), id })),
          ada,
        )
        return taken.length
      }
      must.equal(await starts(0), 1 + 1, 'starts at once')
      must.equal(await starts(30_000), 0, 'starts within the minute')
      must.equal((await take(work, session, { owners: ['bob'] })).length, 1, 'starts of another owner')
      const [gate] = await work.gates({ owners: ['ada'] })
      must.equal([gate?.rate?.key, gate?.room, gate?.opensAt], ['hub', 0, 1e12 + minute], 'the closed gate')
      must.equal(await work.nextDue({ owners: ['ada'] }), 1e12 + minute, 'when a worker has to look again')
      must.equal(await starts(minute - 1), 0, 'starts just before the minute is over')
      must.equal(await starts(minute), 2, 'starts when the minute is over')
      must.equal(await starts(2 * minute - 1), 0, 'starts before the next minute is over')
      must.equal(await starts(2 * minute), 1, 'the last start')
      must.equal(await work.gates({ owners: ['ada'] }), [], 'gates when nothing waits')
      must.equal(await work.nextDue({ owners: ['ada'] }), undefined, 'the next time when nothing waits')
    },
  },
  {
    id: 'closed-gate-hides-nothing',
    sentence: 'steps that wait for their limit hide no other step, and kinds and parents still hold among them',
    async check({ store }) {
      const { log, work } = store
      await log.append([plan('p'), plan('q')], ada)
      const crowd = Array.from({ length: 40 }, (_, i) => `c${i}`)
      await readySteps(store, crowd, ada, { planId: 'p', limit: { key: 'one', atOnce: 1 } })
      await readySteps(store, ['kind'], ada, { planId: 'q', kind: 'rare', limit: { key: 'two', atOnce: 5 } })
      await readySteps(store, ['child'], ada, { planId: 'q', limit: { key: 'two', atOnce: 5 } })
      await readySteps(store, ['behind'], ada, { planId: 'q' })
      const session = await openSession(work)
      must.equal(await takeAll(work, session, { kinds: ['none'] }), [], 'steps for whoever runs nothing')
      must.equal(await takeAll(work, session, { kinds: ['rare'] }), [stepId('kind')], 'the step of a named kind')
      const own = await takeAll(work, session, { parents: [planId('q')], k: 1 })
      must.equal(own, [stepId('child'), stepId('behind')], 'the children of the named parent')
      must.equal(await takeAll(work, session), [stepId('c0')], 'one of the crowd')
      await readySteps(store, ['late'], ada, { planId: 'p' })
      must.equal(await takeAll(work, session, { parents: [planId('p')] }), [stepId('late')], 'a free step behind them')
      await log.append([{ ...plan('p', { paused: true }), update: true }, move('c0', { status: 'done' })], ada)
      must.equal(await takeAll(work, session), [], 'what a paused plan holds')
    },
  },
  {
    id: 'priority-ages',
    sentence: 'a higher priority is taken first, and each minute of waiting counts as much as one point of it',
    needs: ['clock'],
    async check({ store, setClock }) {
      const { work } = store
      const at = async (minutes: number, id: string, payload: Payload = {}) => {
        setClock(1e12 + minutes * minute)
        await readySteps(store, [id], ada, payload)
      }
      await at(0, 'low', { priority: -1 })
      await at(0, 'plain')
      await at(0.5, 'high', { priority: 10 })
      await at(1, 'middle', { priority: 3 })
      await at(1, 'limited', { priority: 2, limit: { key: 'x', atOnce: 9 } })
      await at(9, 'late', { priority: 8 })
      await at(9, 'newest')
      const session = await openSession(work)
      must.equal(
        await takeAll(work, session, { k: 1 }),
        ['high', 'middle', 'limited', 'plain', 'low', 'late', 'newest'].map(stepId),
        'the order of claims',
      )
      must.equal((await store.log.check()).problems, [], 'problems afterwards')
    },
  },
  {
    id: 'nothing-starves',
    sentence: 'a step of low priority starts in bounded time under a constant stream of higher ones',
    needs: ['clock'],
    async check({ store, setClock }) {
      setClock(1e12)
      await readySteps(store, ['low'], ada, { priority: -5 })
      const session = await openSession(store.work)
      let waited = -1
      // Each half minute two steps of a higher priority come, and one step is run.
      for (let i = 0; i < 60 && waited < 0; i++) {
        setClock(1e12 + i * 30_000)
        await readySteps(store, [`h${i}x`, `h${i}y`], ada, { priority: 5 })
        const [taken] = await take(store.work, session, { k: 1, perPartition: 99 })
        if (taken?.id === stepId('low')) waited = i
      }
      // The ten points make up for ten minutes. In them 40 steps came and 20 were run, so 20 were before it in the queue.
      must.hold(
        waited >= 20 && waited <= 41,
        `the step of low priority was the ${waited}th, and must be the 20th to 41st`,
      )
    },
  },
  {
    id: 'start-delayed',
    sentence: 'a step is not taken before its start time, and then it is due',
    needs: ['clock'],
    async check({ store, setClock }) {
      const { log, work } = store
      setClock(1e12)
      await readySteps(store, ['later'], ada, { startAt: 1e12 + minute, limit: { key: 'x', atOnce: 1 } })
      await readySteps(store, ['now'])
      const session = await openSession(work)
      must.equal(await takeAll(work, session), [stepId('now')], 'steps before the time')
      must.equal(await work.nextDue({ owners: ['ada'] }), 1e12 + minute, 'when a worker has to look again')
      must.equal(await work.due({ owners: ['ada'] }), [], 'due steps before the time')
      setClock(1e12 + minute)
      must.equal(
        (await work.due({ owners: ['ada'] })).map(({ id }) => id),
        [stepId('later')],
        'due steps',
      )
      await log.append([move('later', { status: 'ready' })], ada)
      must.equal(await takeAll(work, session), [stepId('later')], 'steps after the time')
      must.equal(await work.nextDue({ owners: ['ada'] }), undefined, 'the next time after that')
      must.equal((await log.check()).problems, [], 'problems afterwards')
    },
  },
  {
    id: 'overdue-left',
    sentence: 'a ready step whose time has run out is due, and is not taken',
    needs: ['clock'],
    async check({ store, setClock }) {
      const { log, work } = store
      setClock(1e12)
      await log.append([plan('p')], ada)
      await readySteps(store, ['a', 'b'], ada, { planId: 'p', expiresAt: 1e12 + minute })
      await readySteps(store, ['c'], ada, { planId: 'p', expiresAt: 1e12 + minute, limit: { key: 'x', atOnce: 1 } })
      const session = await openSession(work)
      setClock(1e12 + minute - 1)
      must.equal(await ids(take(work, session, { k: 1 })), [stepId('a')], 'a step just before its time is over')
      setClock(1e12 + minute)
      must.equal(await takeAll(work, session), [], 'steps whose time is over')
      must.equal(await takeAll(work, session, { parents: [planId('p')] }), [], 'children whose time is over')
      must.equal(await ids(work.due({ owners: ['ada'] })), [stepId('b'), stepId('c')], 'due steps')
    },
  },
]

function openSession(work: WorkLog): Promise<Session> {
  return work.openSession({ actor: 'worker', leaseMs: 3_600_000 })
}

function take(work: NodeStore['work'], session: Session, more: Partial<TakeOptions> = {}) {
  return work.take({
    session: session.id,
    owners: ['ada'],
    concepts: ['v1:sample:step'],
    actor: 'worker',
    k: 4,
    ...more,
  })
}

/** Takes until nothing is left that may be taken. A store may leave some of it to the next call. */
async function takeAll(work: WorkLog, session: Session, more: Partial<TakeOptions> = {}): Promise<readonly string[]> {
  const all: string[] = []
  for (;;) {
    const taken = await take(work, session, { perPartition: 99, ...more })
    if (taken.length === 0) return all
    all.push(...taken.map(({ id }) => id))
  }
}

async function ids(nodes: Promise<readonly { readonly id: string }[]>): Promise<readonly string[]> {
  return (await nodes).map(({ id }) => id)
}
