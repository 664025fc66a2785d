import { byRank, type NodeStore, recallScore, type RecallAnswer, type RecallQuery } from '@agentm/nodes'
import { ada, belief, beliefId, bob, observation, observationId } from '../drafts.ts'
import type { LogContract } from '../log-contract.ts'
import { logMust as must } from '../log-must.ts'
import { seededRandom } from '../../pure/seeded-random.ts'

const embedder = 'sample/2'
const at = 1_700_000_000_000
const note = { concept: 'note', partition: 'attic', createdAt: at }

export const recallContracts: readonly LogContract[] = [
  {
    id: 'seed-formula',
    sentence: 'with vectors and no lexical weight the score is 0.7·cosine + 0.3·2^(−age/3600)',
    async check({ store: { recall } }) {
      const ages: Readonly<Record<string, number>> = { now: 0, hour: 3600, two: 7200, future: -50 }
      const items = Object.entries(ages).map(([id, age], i) => ({
        ...note,
        id,
        source: id,
        text: `item ${id}`,
        createdAt: at - age * 1000,
        vector: { embedder, values: [Math.cos(i), Math.sin(i)] },
      }))
      await recall.put(items, ada)
      const { hits } = await ask(recall, { vector: { embedder, values: [1, 0] } })
      must.equal(
        hits.map(({ id }) => id),
        ['now', 'hour', 'two', 'future'],
        'the order',
      )
      hits.forEach(({ similarity, recency, score, createdAt, id }, i) => {
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
        await must.refuse(
          () => recall.put([{ ...note, id: 'n', source: 'n', text: 'x', vector }], ada),
          'INVALID_VECTOR',
          `put ${what}`,
        )
        const late = [{ id: observationId('ok'), revision: 1, values }]
        await must.refuse(
          () => recall.putVectors({ name: embedder, dimensions: 2 }, late),
          'INVALID_VECTOR',
          `late ${what}`,
        )
      }
      must.equal(await log.latest(observationId('bad'), ada), undefined, 'the node of a refused vector')
      must.equal((await recall.entries(ada)).entries, [], 'the notes of refused vectors')
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
    async check({ store: { log, recall } }) {
      await log.append(
        [belief('m', { content: 'green lamp' }), belief('old', { content: 'green lamp', status: 'pruned' })],
        ada,
      )
      await log.append([observation('o', 'green lamp')], { ...ada, partition: 'cellar' })
      await log.append([observation('x', 'green lamp')], bob)
      await recall.put([{ ...note, id: 'n', source: 'n', text: 'green lamp', createdAt: 1000 }], ada)
      const ids = async (query: Partial<RecallQuery> = {}) =>
        (await recall.recall({ owner: 'ada', text: 'green lamp', ...query })).hits.map(({ id }) => id).toSorted()
      const [m, o, old] = [beliefId('m'), observationId('o'), beliefId('old')]
      must.equal(await ids(), ['n', m, o].toSorted(), 'everything active of ada')
      must.equal(await ids({ concepts: ['v1:sample:belief', 'note'] }), ['n', m].toSorted(), 'two concepts')
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
    async check({ store: { recall } }) {
      const items = ['d', 'a', 'c', 'b'].map((id) => ({ ...note, id, source: id, text: 'same', agesFrom: at }))
      await recall.put(
        items.map((item) => (item.id === 'c' ? { ...item, createdAt: at + 1 } : item)),
        ada,
      )
      const { hits } = await ask(recall, { text: 'same' })
      must.equal(
        hits.map(({ id }) => id),
        ['c', 'a', 'b', 'd'],
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
    id: 'notes',
    sentence: 'notes are put, replaced by source, listed and removed, each for its owner alone',
    async check({ store: { recall } }) {
      const chunk = (id: string, text: string) => ({ ...note, id, source: 'n1', text, data: { at: id } })
      await recall.put([chunk('n1#1', 'green lamp'), chunk('n1#2', 'red lamp')], ada)
      await recall.put([chunk('n1#1', 'blue lamp')], { owner: 'ada', replace: 'n1' })
      must.equal(
        (await recall.entries(ada)).entries.map(({ id, data }) => [id, data]),
        [['n1#1', { at: 'n1#1' }]],
        'entries',
      )
      must.equal(await words(recall, 'green red'), [], 'hits by words that were replaced')
      must.equal(await words(recall, 'blue'), ['n1#1'], 'hits by the new words')
      must.equal(await recall.remove({ source: 'n1' }, { owner: 'bob' }), 0, 'removed for somebody else')
      must.equal(await recall.remove({ source: 'n1' }, { owner: 'ada' }), 1, 'removed')
      must.equal([await words(recall, 'blue'), (await recall.entries(ada)).entries], [[], []], 'what is left')
      const fake = { ...note, concept: 'v1:sample:observation', id: 'x', source: 'x', text: 'x' }
      await must.refuse(() => recall.put([fake], ada), 'INVALID_PAYLOAD', 'a note that claims to be a node')
    },
  },
  {
    id: 'entries-revision',
    sentence: 'gives one revision to two lists of what was put under a concept only where they hold the same',
    async check({ store: { recall } }) {
      const changes: readonly (() => Promise<unknown>)[] = [
        async () => recall.put([piece('n1', 'green lamp', 'first'), piece('n2', 'red lamp', 'second')], ada),
        async () => recall.put([piece('n1', 'green lamp', 'the same text, and other data')], ada),
        async () => recall.put([piece('n1', 'blue lamp', 'third')], ada),
        async () => recall.put([{ ...piece('n2', 'red lamp', 'second'), partition: 'cellar' }], ada),
        async () => recall.put([{ ...piece('n2', 'red lamp', 'moved'), concept: 'other note' }], ada),
        async () => recall.put([piece('n3', 'lamp', 'of somebody else')], bob),
        async () => recall.remove({ source: 'n1' }, ada),
        async () => recall.put([piece('n1', 'green lamp', 'first')], ada),
        async () => recall.put([piece('n4', 'green lamp', 'instead')], { ...ada, replace: 'n1' }),
      ]
      const seen = new Map<string, readonly unknown[]>()
      const looks = async () => {
        for (let i = 0; i < 2; i++) {
          const { entries, revision } = await recall.entries({ owner: 'ada', concept: note.concept })
          if (revision === undefined) continue
          const said = entries.map(({ id, partition, data }) => [id, partition, data])
          must.equal(said, seen.get(revision) ?? said, `the entries of revision ${JSON.stringify(revision)}`)
          seen.set(revision, said)
        }
      }
      await looks()
      for (const change of changes) {
        await change()
        await looks()
      }
    },
  },
  {
    id: 'notes-apart',
    sentence: 'two owners may name their notes alike, and nobody names one like a node',
    async check({ store: { log, recall } }) {
      const mine = { ...note, id: 'n1', source: 'n1', text: 'green lamp' }
      await recall.put([mine], ada)
      await recall.put([{ ...mine, text: 'red lamp' }], bob)
      const found = async (owner: string) => (await recall.recall({ owner, text: 'lamp' })).hits.map(({ text }) => text)
      must.equal([await found('ada'), await found('bob')], [['green lamp'], ['red lamp']], 'hits of each owner')
      const { items } = await recall.pending({ embedder, owner: 'bob' })
      const vectors = items.map(({ id, revision }) => ({ id, revision, values: [1, 0] }))
      must.equal(await recall.putVectors({ name: embedder, dimensions: 2 }, vectors), 1, 'vectors stored for bob')
      must.equal(
        (await recall.pending({ embedder })).items.map(({ owner }) => owner),
        ['ada'],
        'who still waits',
      )
      await recall.put([], { owner: 'bob', replace: 'n1' })
      must.equal([await found('ada'), await found('bob')], [['green lamp'], []], 'hits after bob dropped his')
      await log.append([observation('o', 'hazelnut')], ada)
      for (const id of [observationId('o'), observationId('later')])
        await must.refuse(() => recall.put([{ ...mine, id }], ada), 'INVALID_PAYLOAD', `a note named ${id}`)
      must.equal(await words(recall, 'hazelnut'), [observationId('o')], 'the node afterwards')
    },
  },
  {
    id: 'exact-top-k',
    sentence: 'the top k is the head of the full ranking, certified, with scores that follow from the signals',
    async check({ store, scale }) {
      const random = seededRandom(11)
      await fillRandomly(store, random, 120 * scale)
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

async function words(recall: Recall, text: string): Promise<readonly string[]> {
  const { hits } = await ask(recall, { text })
  return hits.filter(({ lexical }) => lexical > 0).map(({ id }) => id)
}

const vocabulary = ['lamp', 'green', 'attic', 'broken', 'fuse', 'ladder', 'socket', 'dim', 'warm', 'switch']

async function fillRandomly({ recall }: NodeStore, random: () => number, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, i) => ({
    ...note,
    id: `n${i}`,
    source: `n${i}`,
    text: Array.from({ length: 2 + random() * 8 }, () => vocabulary[Math.floor(random() ** 2 * 10)]).join(' '),
    createdAt: at - Math.floor(random() * 2e7),
    ...(random() < 0.7 ? { vector: { embedder, values: randomVector(random) } } : {}),
  }))
  await recall.put(items, ada)
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

/** A note of one piece. */
function piece(id: string, text: string, said: string) {
  return { ...note, id, source: id, text, data: { said } }
}
