import { byRank, type Draft, type NodeStore, recallScore, type RecallAnswer, type RecallQuery } from '@agentm/nodes'
import { ada, belief, beliefId, bob, observation, observationId, plan, planId } from '../drafts.ts'
import type { LogContract } from '../log-contract.ts'
import { logMust as must } from '../log-must.ts'
import { seededRandom } from '../../pure/seeded-random.ts'

const embedder = 'sample/2'
const at = 1_700_000_000_000

export const recallContracts: readonly LogContract[] = [
  {
    id: 'seed-formula',
    sentence: 'with vectors and no lexical weight the score is 0.7·cosine + 0.3·2^(−age/3600)',
    needs: ['clock'],
    async check({ store: { log, recall }, setClock }) {
      const ages: Readonly<Record<string, number>> = { now: 0, hour: 3600, two: 7200, future: -50 }
      for (const [i, [id, age]] of Object.entries(ages).entries()) {
        setClock(at - age * 1000)
        const vector = { embedder, values: [Math.cos(i), Math.sin(i)] }
        await log.append([observation(id, `item ${id}`, { vector })], ada)
      }
      const { hits } = await ask(recall, { vector: { embedder, values: [1, 0] } })
      must.equal(
        hits.map(({ id }) => id),
        ['now', 'hour', 'two', 'future'].map(observationId),
        'the order',
      )
      hits.forEach(({ similarity, recency, score, createdAt, text }, i) => {
        const id = text.replace('item ', '')
        const wanted = 2 ** (-Math.max(0, ages[id] ?? 0) / 3600)
        must.near(similarity, Math.cos(i), `similarity of ${id}`)
        must.near(recency, wanted, `recency of ${id}`)
        must.near(score, 0.7 * Math.cos(i) + 0.3 * wanted, `score of ${id}`)
        must.equal(createdAt, at - (ages[id] ?? 0) * 1000, `the real time of ${id}`)
      })
    },
  },
  {
    id: 'without-vector',
    sentence: 'an item without a vector is found by its words, and counted as pending',
    async check({ store: { log, recall } }) {
      await log.append([observation('o', 'The green lamp is broken'), observation('q', 'unrelated')], ada)
      const answer = await recall.recall({ owner: 'ada', text: 'Lamp!', vector: { embedder, values: [1, 0] }, wRec: 0 })
      const [first] = answer.hits
      must.equal(first?.id, observationId('o'), 'the first hit')
      must.equal(
        [first?.similarity, first?.lexical, answer.pending],
        [undefined, 1, 2],
        'its signals, and what is pending',
      )
    },
  },
  {
    id: 'pending-vectors',
    sentence: 'missing vectors are listed until they are stored, and asked for again when text or embedder change',
    async check({ store: { log, recall } }) {
      await log.append([observation('a', 'first'), observation('b', 'second')], ada)
      await log.append([observation('c', 'third', { vector: { embedder, values: [0, 1] } })], ada)
      const { items, total } = await recall.pending({ embedder })
      must.equal(
        [items.map(({ id, text }) => [id, text]), total],
        [
          [
            [observationId('a'), 'first'],
            [observationId('b'), 'second'],
          ],
          2,
        ],
        'what is pending',
      )
      const stale = items.map(({ id, revision }) => ({ id, revision, values: [1, 0] }))
      await log.append([observation('a', 'first, changed')], ada)
      must.equal(await recall.putVectors({ name: embedder, dimensions: 2 }, stale), 1, 'vectors still wanted')
      const left = await recall.pending({ embedder, owner: 'ada' })
      must.equal(
        left.items.map(({ text }) => text),
        ['first, changed'],
        'what is pending then',
      )
      await log.append([observation('b', 'second', {}, { kind: 'error' })], ada)
      must.equal((await recall.pending({ embedder })).total, 1, 'pending after a version with the same text')
      must.equal((await recall.pending({ embedder: 'other' })).total, 3, 'pending for another embedder')
      must.equal((await recall.pending({ embedder, owner: 'bob' })).total, 0, 'pending for another owner')
    },
  },
  {
    id: 'embedders-apart',
    sentence: 'vectors of two embedders are never compared',
    async check({ store: { log, recall } }) {
      await log.append([observation('a', 'text', { vector: { embedder: 'one', values: [1, 0] } })], ada)
      const { hits, pending } = await ask(recall, { vector: { embedder: 'two', values: [1, 0] } })
      must.equal([hits[0]?.similarity, pending], [undefined, 1], 'similarity across embedders')
    },
  },
  {
    id: 'bad-vectors',
    sentence: 'zero, endless, unreal and mismatched vectors are refused, and nothing of their write remains',
    async check({ store: { log, recall } }) {
      await log.append([observation('ok', 'fine', { vector: { embedder, values: [1, 0] } })], ada)
      for (const values of [[0, 0], [Number.NaN, 1], [Infinity, 0], [], [1, 0, 0]]) {
        const vector = { embedder, values }
        const what = `[${values.join(', ')}]`
        await must.refuse(
          () => log.append([observation('bad', 'x', { vector })], ada),
          'INVALID_VECTOR',
          `append ${what}`,
        )
        const late = [{ id: observationId('ok'), revision: 1, values }]
        await must.refuse(
          () => recall.putVectors({ name: embedder, dimensions: 2 }, late),
          'INVALID_VECTOR',
          `late ${what}`,
        )
      }
      must.equal(await log.latest(observationId('bad'), ada), undefined, 'the node of a refused vector')
    },
  },
  {
    id: 'newest-version-only',
    sentence: 'only the newest version of a node is found, by its new words and not by its old ones',
    async check({ store: { log, recall } }) {
      await log.append([observation('o', 'walnut')], ada)
      await log.append([observation('o', 'hazelnut')], ada)
      const found = async (text: string) => {
        const { hits } = await recall.recall({ owner: 'ada', text, wRec: 0 })
        return hits.filter(({ lexical }) => lexical > 0).map(({ version }) => version)
      }
      must.equal([await found('walnut'), await found('hazelnut')], [[], [2]], 'versions found by old and new words')
    },
  },
  {
    id: 'recall-filters',
    sentence: 'recall keeps to owner, concept, partition, window and status, and to active beliefs unless asked',
    needs: ['clock'],
    async check({ store: { log, recall }, setClock }) {
      setClock(at - 7_200_000)
      await log.append([plan('p', { goal: 'green lamp' })], ada)
      setClock(at)
      await log.append(
        [belief('m', { content: 'green lamp' }), belief('old', { content: 'green lamp', status: 'pruned' })],
        ada,
      )
      await log.append([observation('o', 'green lamp')], { ...ada, partition: 'cellar' })
      await log.append([observation('x', 'green lamp')], bob)
      const ids = async (query: Partial<RecallQuery> = {}) =>
        (await ask(recall, { text: 'green lamp', ...query })).hits.map(({ id }) => id).toSorted()
      const [p, m, o, old] = [planId('p'), beliefId('m'), observationId('o'), beliefId('old')]
      must.equal(await ids(), [p, m, o].toSorted(), 'everything active of ada')
      must.equal(await ids({ concepts: ['v1:sample:belief', 'v1:sample:plan'] }), [p, m].toSorted(), 'two concepts')
      must.equal(await ids({ partitions: ['cellar'] }), [o], 'one partition')
      must.equal(await ids({ window: 3600 }), [m, o].toSorted(), 'the last hour')
      must.equal(await ids({ status: ['pruned'] }), [old], 'pruned ones, asked for')
      must.equal(await ids({ owner: 'bob' }), [observationId('x')], 'everything of bob')
      must.equal((await ids({ k: 2 })).length, 2, 'at most k')
    },
  },
  {
    id: 'recall-arguments',
    sentence: 'a blank text is refused and numbers out of range saturate',
    async check({ store: { log, recall } }) {
      await log.append([observation('a', 'lamp'), observation('b', 'lamp')], ada)
      await must.refuse(() => recall.recall({ owner: 'ada', text: ' ' }), 'INVALID_QUERY', 'a blank text')
      for (const k of [-1, 0, 1e12, Number.NaN]) {
        const { hits } = await recall.recall({
          owner: 'ada',
          text: 'lamp "*( OR NEAR',
          k,
          halfLife: 0,
          window: -1,
          wSem: 1e300,
        })
        must.equal(hits.length, k < 1 ? 1 : 2, `hits for k ${k}`)
        must.hold(
          hits.every(({ score }) => Number.isFinite(score)),
          'scores are numbers',
        )
      }
    },
  },
  {
    id: 'stable-ties',
    sentence: 'equal scores are ordered by newest, then by id',
    needs: ['clock'],
    async check({ store: { log, recall }, setClock }) {
      setClock(at)
      await log.append(
        ['d', 'a', 'c', 'b'].map((id) => plan(id, { goal: 'same' })),
        ada,
      )
      setClock(at + 1)
      await log.append([plan('c', { goal: 'same' })], ada)
      const { hits } = await ask(recall, { text: 'same' })
      must.equal(
        hits.map(({ id }) => id),
        ['c', 'a', 'b', 'd'].map(planId),
        'the order of ties',
      )
    },
  },
  {
    id: 'beliefs-age',
    sentence: 'a belief ages from its last reinforcement and not from its last version',
    needs: ['clock'],
    async check({ store: { log, recall }, setClock }) {
      setClock(at)
      await log.append([belief('m', { content: 'lamp' })], ada)
      setClock(at + 3_600_000)
      await log.append([belief('m', { confidence: 0.4 })], ada)
      const recency = async () =>
        (await ask(recall, { text: 'lamp', halfLife: 3600, at: at + 3_600_000 })).hits[0]?.recency
      must.near(await recency(), 0.5, 'recency after a version that only decays')
      await log.append([belief('m', { lastReinforced: at + 3_600_000 })], ada)
      must.near(await recency(), 1, 'recency after a reinforcement')
    },
  },
  {
    id: 'exact-top-k',
    sentence: 'the top k is the head of the full ranking, certified, with scores that follow from the signals',
    needs: ['clock'],
    async check({ store, setClock, scale }) {
      const random = seededRandom(11)
      for (let i = 0; i < 24 * scale; i++) {
        setClock(at - Math.floor(random() * 2e7))
        await store.log.append(randomDrafts(random, `n${i}`), ada)
      }
      for (let round = 0; round < 15 * scale; round++) {
        const query = randomQuery(random)
        const all = await store.recall.recall({ ...query, k: 1000 })
        const some = await store.recall.recall({ ...query, k: 5 })
        must.hold(some.certified, 'the certificate holds')
        must.equal(
          some.hits.map(({ id }) => id),
          all.hits.slice(0, 5).map(({ id }) => id),
          `round ${round}: the top five`,
        )
        must.equal(all.hits, all.hits.toSorted(byRank), `round ${round}: the full ranking is in order`)
        for (const hit of all.hits) {
          const weights = { wSem: 0.7, wLex: 0, wRec: 0.3, halfLife: 3600, ...query }
          must.near(hit.score, recallScore(hit, weights), `round ${round}: the score of ${hit.id}`)
        }
      }
    },
  },
]

type Recall = NodeStore['recall']

function ask(recall: Recall, query: Partial<RecallQuery>): Promise<RecallAnswer> {
  return recall.recall({ owner: 'ada', text: 'nothing in particular', at, ...query })
}

const vocabulary = ['lamp', 'green', 'attic', 'broken', 'fuse', 'ladder', 'socket', 'dim', 'warm', 'switch']

/** Nodes that age from their version, and nodes that age from a time of their own. */
function randomDrafts(random: () => number, name: string): readonly Draft[] {
  return Array.from({ length: 5 }, (_, i) => {
    const text = Array.from({ length: 2 + random() * 8 }, () => vocabulary[Math.floor(random() ** 2 * 10)]).join(' ')
    const more = random() < 0.7 ? { vector: { embedder, values: randomVector(random) } } : {}
    return i % 2 === 0
      ? observation(`${name}-${i}`, text, more)
      : belief(`${name}-${i}`, { content: text, lastReinforced: at - Math.floor(random() * 2e7) }, more)
  })
}

function randomQuery(random: () => number): RecallQuery {
  return {
    owner: 'ada',
    at,
    text: Array.from({ length: 1 + random() * 3 }, () => vocabulary[Math.floor(random() * 10)]).join(' '),
    ...(random() < 0.8 ? { vector: { embedder, values: randomVector(random) } } : {}),
    wSem: random(),
    wLex: random() < 0.3 ? 0 : random(),
    wRec: random(),
    halfLife: 10 ** (2 + random() * 4),
  }
}

function randomVector(random: () => number): readonly number[] {
  return Array.from({ length: 12 }, () => random() - 0.5)
}
