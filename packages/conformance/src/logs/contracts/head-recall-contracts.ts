/** What recall returns for nodes with several versions: some versions change their text or rank, most do not. */
import type { Draft, RecallHit, RecallQuery } from '@agentm/nodes'
import { ada, belief, observation, plan, planId } from '../drafts.ts'
import { createInMemoryStore } from '../in-memory-store.ts'
import type { LogContract } from '../log-contract.ts'
import { logMust as must } from '../log-must.ts'
import { sampleConcepts } from '../sample-concepts.ts'
import { seededRandom } from '../../pure/seeded-random.ts'

const embedder = 'sample/2'
const at = 1_700_000_000_000

export const headRecallContracts: readonly LogContract[] = [
  {
    id: 'found-as-before',
    sentence: 'a version that is found by the same is told apart by its own status, time and content',
    needs: ['clock'],
    async check({ store: { log, recall }, setClock }) {
      const near = { vector: { embedder, values: [1, 0] } }
      const query = { owner: 'ada', text: 'lamp', ...near, at: at + 3_600_000, halfLife: 3600 }
      setClock(at)
      await log.append([plan('a', { goal: 'lamp' }), plan('b', { goal: 'lamp' })].map(withVector([1, 0.2])), ada)
      await log.append(
        [...Array(100).keys()].map((i) => withVector([1, 0])(plan(`other${i}`, { goal: 'lamp' }))),
        ada,
      )
      must.equal((await recall.recall({ ...query, k: 1 })).hits[0]?.status, 'open', 'the status of the best of them')
      setClock(at + 3_600_000)
      await log.append([plan('b', { goal: 'lamp', status: 'running', paused: true })], ada)
      const { hits } = await recall.recall({ ...query, k: 102 })
      const last = hits.slice(-2).map(({ id, version, status, createdAt, payload, recency, text }) => ({
        said: [id, version, status, createdAt - at, payload['paused'], text],
        recency,
      }))
      must.equal(
        last.map(({ said }) => said),
        [
          [planId('b'), 2, 'running', 3_600_000, true, 'lamp'],
          [planId('a'), 1, 'open', 0, undefined, 'lamp'],
        ],
        'equal scores, the newer version first',
      )
      for (const hit of last) must.near(hit.recency, 0.5, 'the recency of both, which age from their first version')
      const ids = async (filter: Partial<RecallQuery>) =>
        (await recall.recall({ ...query, ...filter })).hits.map(({ id }) => id)
      for (const more of [near, { vector: { embedder: 'none', values: [1] } }]) {
        must.equal(await ids({ ...more, status: ['running'] }), [planId('b')], 'what is running')
        must.equal(await ids({ ...more, window: 60 }), [planId('b')], 'what changed in the last minute')
        must.equal(await ids({ ...more, status: ['done'] }), [], 'what is done')
        must.equal((await ids({ ...more, status: ['open'], k: 200 })).includes(planId('b')), false, 'what is open')
      }
      must.equal((await ids({ k: 102 })).length, 102, 'all of them, after questions that left some out')
    },
  },
  {
    id: 'found-by-heads',
    sentence: 'after any versions, every filter gives what ranking the newest of everything gives',
    needs: ['clock'],
    async check({ store, setClock, scale }) {
      let now = at
      const reference = createInMemoryStore({ concepts: sampleConcepts, runtime: { now: () => now } })
      const random = seededRandom(23)
      for (let round = 0; round < 12 * scale; round++) {
        now += Math.floor(random() * 600_000)
        setClock(now)
        const drafts = Array.from({ length: 1 + random() * 12 }, () => randomVersion(random, now))
        for (const { log } of [store, reference]) await log.append(drafts, ada)
        for (let asked = 0; asked < 3; asked++) {
          // Stores score words differently, so no item contains the searched word.
          const query = { ...randomFilter(random), owner: 'ada', text: 'zebra', at: now }
          const vector = { embedder, values: [random() - 0.5, random() - 0.5] }
          const [answer, wanted] = [
            await store.recall.recall({ ...query, vector }),
            await reference.recall.recall({ ...query, vector }),
          ]
          must.equal(
            [answer.hits.map(shownHit), answer.pending],
            [wanted.hits.map(shownHit), wanted.pending],
            `round ${round}: hits for ${JSON.stringify(query)}`,
          )
        }
      }
      await reference.close()
    },
  },
]

const withVector =
  (values: readonly number[]) =>
  (draft: Draft): Draft => ({ ...draft, vector: { embedder, values } })

/** A version of one of few nodes, so that most nodes get several. Some versions change their text or rank and some do not. */
function randomVersion(random: () => number, now: number): Draft {
  const id = `n${Math.floor(random() * 12)}`
  const word = random() < 0.8 ? 'lamp' : 'ladder'
  const one = <T>(...of: readonly T[]) => of[Math.floor(random() * of.length)]
  const kinds = [
    plan(id, { goal: word, status: one('open', 'running', 'done'), paused: random() < 0.5 }),
    belief(id, {
      content: word,
      status: one('active', 'active', 'pruned'),
      confidence: random(),
      ...(random() < 0.3 ? { lastReinforced: now - Math.floor(random() * 1e6) } : {}),
    }),
    observation(id, word, {}, { kind: one('note', 'error') }),
  ] as const
  const draft = one(...kinds) ?? kinds[0]
  // The same text gets the same vector, so that equal scores are frequent. Most versions bring no vector and keep the old one.
  return random() < 0.3 ? withVector([word.length, 1])(draft) : draft
}

function randomFilter(random: () => number): Partial<RecallQuery> {
  return {
    k: 1 + Math.floor(random() * 12),
    ...(random() < 0.4
      ? { status: [['open', 'running'], ['done'], ['pruned', 'active']][Math.floor(random() * 3)] ?? [] }
      : {}),
    ...(random() < 0.4 ? { window: 60 + Math.floor(random() * 3600) } : {}),
    ...(random() < 0.3 ? { concepts: ['v1:sample:plan', 'v1:sample:belief'] } : {}),
  }
}

function shownHit({ id, version, status, createdAt, payload, score, recency }: RecallHit): unknown {
  return [id, version, status, createdAt, payload, score.toFixed(4), recency.toFixed(6)]
}
