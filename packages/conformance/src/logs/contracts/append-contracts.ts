import { ada, bob, move, observation, observationId, plan, planId, step, stepId, stepIn } from '../drafts.ts'
import type { LogContract } from '../log-contract.ts'
import { logMust as must } from '../log-must.ts'

const statuses = ['pending', 'ready', 'running', 'blocked', 'done', 'failed'] as const

/** Every edge of the table but the self edges, which are legal everywhere. */
const edges: Readonly<Record<string, readonly string[]>> = {
  pending: ['ready'],
  ready: ['running'],
  running: ['blocked', 'done', 'failed'],
  blocked: ['ready'],
  done: [],
  failed: ['ready'],
}

export const appendContracts: readonly LogContract[] = [
  {
    id: 'versions-rise',
    sentence: 'versions of an id rise by one and the sequence rises over all ids',
    async check({ store: { log } }) {
      const written = [
        ...(await log.append([step('a'), step('b')], ada)),
        ...(await log.append([move('a', { title: 'again' })], ada)),
      ]
      must.equal(
        written.map(({ id, version }) => [id, version]),
        [
          [stepId('a'), 1],
          [stepId('b'), 1],
          [stepId('a'), 2],
        ],
        'ids and versions',
      )
      must.hold(
        written.every(({ seq }, i) => i === 0 || seq > (written[i - 1]?.seq ?? 0)),
        'sequence numbers rise',
      )
      must.equal(await log.position(), written.at(-1)?.seq, 'the position of the log')
      const history = await log.history(stepId('a'), ada)
      must.equal(
        history.map(({ payload }) => payload['title']),
        ['step a', 'again'],
        'titles in history',
      )
      must.equal((await log.latest(stepId('a'), ada))?.version, 2, 'the newest version')
    },
  },
  {
    id: 'writes-merge',
    sentence: 'a write lays its fields over what is there, replaces nested values whole and removes what is unset',
    async check({ store: { log } }) {
      await log.append([step('a', { result: { x: 1, y: { z: 2 } }, retryAt: 5 })], ada)
      await log.append([{ ...move('a', { result: { y: 3 } }), unset: ['retryAt'] }], ada)
      const { payload } = (await log.latest(stepId('a'), ada)) ?? {}
      must.equal(
        payload,
        { title: 'step a', status: 'pending', dependsOn: [], attempt: 0, result: { y: 3 } },
        'the merged payload',
      )
    },
  },
  {
    id: 'all-or-nothing',
    sentence: 'an append is written whole or not at all',
    async check({ store: { log } }) {
      await log.append([step('a')], ada)
      const before = await log.position()
      await must.refuse(
        () => log.append([step('b'), move('a', { status: 'ready' }), move('a', { status: 'done' })], ada),
        'GUARD_REFUSED',
        'an append whose last draft is illegal',
      )
      must.equal(await log.position(), before, 'the position after a refused append')
      must.equal(await log.latest(stepId('b'), ada), undefined, 'the first draft of a refused append')
      must.equal((await log.latest(stepId('a'), ada))?.status, 'pending', 'the second draft of a refused append')
    },
  },
  {
    id: 'expected-versions',
    sentence: 'an append is refused when an expected version moved, also of a node it does not write',
    async check({ store: { log } }) {
      await log.append([step('a'), plan('p')], ada)
      const write = (expects: Record<string, number>) => log.append([move('a', {})], { ...ada, expects })
      await write({ [stepId('a')]: 1 })
      await must.refuse(() => write({ [stepId('a')]: 1 }), 'VERSION_CONFLICT', 'an old version')
      await must.refuse(() => write({ [planId('p')]: 2 }), 'VERSION_CONFLICT', 'a version not reached')
      await must.refuse(() => write({ [planId('p')]: 0 }), 'VERSION_CONFLICT', 'absence of what is there')
      await write({ [stepId('a')]: 2, [planId('p')]: 1, [planId('none')]: 0 })
      must.equal((await log.latest(stepId('a'), ada))?.version, 3, 'the version after two good writes')
    },
  },
  {
    id: 'concurrent-appends',
    sentence:
      'appends at the same time get versions without gaps, and of those that expect one version a single one wins',
    async check({ store: { log }, scale }) {
      await log.append([step('a')], ada)
      const count = 50 * scale
      await Promise.all(Array.from({ length: count }, (_, i) => log.append([move('a', { result: { i } })], ada)))
      const versions = (await log.history(stepId('a'), ada)).map(({ version }) => version)
      must.equal(
        versions,
        Array.from({ length: count + 1 }, (_, i) => i + 1),
        'versions after racing appends',
      )
      const expects = { [stepId('a')]: count + 1 }
      const race = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) => log.append([move('a', { result: { won: i } })], { ...ada, expects })),
      )
      must.equal(race.filter(({ status }) => status === 'fulfilled').length, 1, 'winners of one expected version')
    },
  },
  {
    id: 'guarded-transitions',
    sentence: 'every transition outside the table is refused, and every one inside it is written',
    async check({ store }) {
      for (const from of statuses)
        for (const to of statuses) {
          const id = `${from}-${to}`
          await stepIn(store, id, from)
          const write = () => store.log.append([move(id, { status: to, attempt: 1 })], ada)
          if (from === to || edges[from]?.includes(to) === true) await write()
          else await must.refuse(write, 'GUARD_REFUSED', `${from} to ${to}`)
        }
    },
  },
  {
    id: 'guard-details',
    sentence: 'a new step starts pending, an unknown status is refused, and a retry raises the attempt',
    async check({ store }) {
      await must.refuse(
        () => store.log.append([step('a', { status: 'ready' })], ada),
        'GUARD_REFUSED',
        'a new ready step',
      )
      await stepIn(store, 'f', 'failed')
      await must.refuse(
        () => store.log.append([move('f', { status: 'odd' })], ada),
        'GUARD_REFUSED',
        'an unknown status',
      )
      const retry = (attempt: number) => store.log.append([move('f', { status: 'ready', attempt })], ada)
      await must.refuse(() => retry(0), 'GUARD_REFUSED', 'a retry of the same attempt')
      await retry(1)
      must.equal((await store.log.latest(stepId('f'), ada))?.payload['attempt'], 1, 'the attempt of a retried step')
    },
  },
  {
    id: 'closed-payloads',
    sentence: 'a payload with undeclared, missing or unstorable fields is refused',
    async check({ store: { log } }) {
      const bad = [
        { extra: 1 },
        { title: 7 },
        { title: 'half \ud800' },
        { title: 'nul \0' },
        { result: { n: Number.NaN } },
      ]
      for (const payload of bad)
        await must.refuse(() => log.append([step('a', payload)], ada), 'INVALID_PAYLOAD', JSON.stringify(payload))
      await must.refuse(
        () => log.append([{ ...step('a'), concept: 'v1:sample:none' }], ada),
        'UNKNOWN_CONCEPT',
        'an unknown concept',
      )
      must.equal(await log.position(), 0, 'the position after refusals only')
    },
  },
  {
    id: 'ids',
    sentence: 'bare ids are completed, ids of another concept refused, and absent ones made',
    async check({ store: { log } }) {
      const [named] = await log.append([step(stepId('a'))], ada)
      must.equal(named?.id, stepId('a'), 'a canonical id')
      await must.refuse(() => log.append([step(planId('a'))], ada), 'INVALID_ID', 'an id of another concept')
      await must.refuse(
        () => log.append([step('b', { planId: stepId('a') })], ada),
        'INVALID_ID',
        'a relation elsewhere',
      )
      await must.refuse(() => log.latest('a', ada), 'INVALID_ID', 'a bare id in a read, where no concept completes it')
      const { id: _id, ...nameless } = observation('x', 'nameless')
      const made = await log.append([nameless, nameless], ada)
      must.equal(new Set(made.map(({ id }) => id)).size, 2, 'made ids are different')
      must.equal((await log.latest(made[0]?.id ?? '', ada))?.payload['content'], 'nameless', 'a node under a made id')
    },
  },
  {
    id: 'stamps',
    sentence: 'every version says who wrote it, by which mutation, for whom, where and when',
    async check({ store: { log } }) {
      const [first] = await log.append([step('a')], { owner: 'ada', actor: 'one' })
      must.equal(first?.partition, '_global', 'the partition where none was named')
      await log.append([move('a', {})], { owner: 'ada', actor: 'two', partition: 'elsewhere' })
      const history = await log.history(stepId('a'), ada)
      must.equal(
        history.map(({ createdBy, provenanceMutation, owner, partition }) => [
          createdBy,
          provenanceMutation,
          owner,
          partition,
        ]),
        [
          ['one', 'addSampleStep', 'ada', '_global'],
          ['two', 'moveSampleStep', 'ada', '_global'],
        ],
        'what was stamped',
      )
      must.hold(
        history.every(({ createdAt }) => Math.abs(createdAt - Date.now()) < 600_000),
        'times are near now',
      )
    },
  },
  {
    id: 'updates-need-something',
    sentence: 'an update of an absent node is refused and makes none',
    async check({ store: { log } }) {
      await must.refuse(() => log.append([move('a', { title: 'x' })], ada), 'ABSENT_NODE', 'an update of nothing')
      must.equal(await log.latest(stepId('a'), ada), undefined, 'what the update left')
    },
  },
  {
    id: 'owners-apart',
    sentence: 'somebody else’s nodes answer like absent ones and cannot be written, referred to or taken over',
    async check({ store: { log, work } }) {
      await log.append([plan('p'), step('a', { planId: 'p' }), observation('o', 'secret of ada')], ada)
      must.equal(await log.latest(stepId('a'), bob), undefined, 'latest of a foreign id')
      must.equal(await log.history(stepId('a'), bob), [], 'history of a foreign id')
      must.equal((await log.scan({ owner: 'bob' })).nodes, [], 'scan for an owner without nodes')
      must.equal((await log.scan({ owner: 'bob', parent: planId('p') })).nodes, [], 'children of a foreign parent')
      must.equal(
        (await log.scan({ owner: 'bob', versions: 'all', ids: [stepId('a')] })).nodes,
        [],
        'versions by foreign id',
      )
      must.equal(
        await work.tally(planId('p'), { owner: 'bob', concept: 'v1:sample:step' }),
        {},
        'tally of a foreign parent',
      )
      must.equal(await log.redact(stepId('a'), bob), undefined, 'redaction of a foreign id')
      await must.refuse(() => log.append([step('a')], bob), 'OWNER_REFUSED', 'a write over a foreign id')
      await must.refuse(() => log.append([move('a', {})], bob), 'ABSENT_NODE', 'an update of a foreign id')
      await must.refuse(
        () => log.append([step('b', { planId: 'p' })], bob),
        'RELATION_REFUSED',
        'a step of a foreign plan',
      )
      await must.refuse(
        () => log.append([step('b', { dependsOn: ['a'] })], bob),
        'RELATION_REFUSED',
        'a foreign dependency',
      )
      await must.refuse(
        () => log.append([step('b')], { ...bob, expects: { [stepId('a')]: 1 } }),
        'VERSION_CONFLICT',
        'the version of a foreign id',
      )
      must.equal((await log.latest(stepId('a'), ada))?.owner, 'ada', 'the owner afterwards')
    },
  },
  {
    id: 'owner-required',
    sentence: 'a call that names no owner is refused',
    async check({ store: { log, recall } }) {
      const nobody = { owner: ' ', actor: 'contract' }
      await log.append([step('a')], ada)
      const calls: readonly (() => Promise<unknown>)[] = [
        () => log.append([step('b')], nobody),
        () => log.latest(stepId('a'), nobody),
        () => log.history(stepId('a'), nobody),
        () => log.scan(nobody),
        () => log.redact(stepId('a'), nobody),
        () => recall.recall({ ...nobody, text: 'step' }),
      ]
      for (const [i, call] of calls.entries()) await must.refuse(call, 'OWNER_REFUSED', `call ${i + 1}`)
    },
  },
  {
    id: 'dependencies',
    sentence: 'open dependencies are counted, and unknown ones and circles are refused at the write',
    async check({ store }) {
      const { log } = store
      await log.append([step('c', { dependsOn: ['a', 'b'] }), step('a'), step('b')], ada)
      const remaining = async (id: string) => (await log.latest(stepId(id), ada))?.remaining
      must.equal([await remaining('a'), await remaining('c')], [0, 2], 'open dependencies at first')
      for (const id of ['a', 'b'])
        await log.append(
          ['ready', 'running', 'done'].map((status) => move(id, { status })),
          ada,
        )
      must.equal(await remaining('c'), 0, 'open dependencies when all are done')
      await log.append([step('d', { dependsOn: ['a', 'c'] })], ada)
      must.equal(await remaining('d'), 1, 'open dependencies of a later step')
      const none = step('e', { dependsOn: ['nowhere'] })
      await must.refuse(() => log.append([none], ada), 'RELATION_REFUSED', 'an unknown dependency')
      const circle = [step('x', { dependsOn: ['y'] }), step('y', { dependsOn: ['x'] })]
      await must.refuse(() => log.append(circle, ada), 'RELATION_REFUSED', 'a circle')
      await must.refuse(() => log.append([step('z', { dependsOn: ['z'] })], ada), 'RELATION_REFUSED', 'a self edge')
      const dependents = await log.scan({ owner: 'ada', related: { field: 'dependsOn', to: stepId('a') } })
      must.equal(
        dependents.nodes.map(({ id }) => id),
        [stepId('c'), stepId('d')],
        'dependents by the edge index',
      )
    },
  },
  {
    id: 'large-and-unicode',
    sentence: 'a million characters and every script come back as they went in',
    async check({ store: { log } }) {
      const texts = ['x'.repeat(1_000_000), 'Ünïcödé 東京 🧠 \u200f\u0301 "\\ \r\n\t \u2028', 'constructor']
      for (const [i, content] of texts.entries())
        await log.append([observation(`t${i}`, content, {}, { data: { [content.slice(0, 40)]: content } })], ada)
      for (const [i, content] of texts.entries()) {
        const { payload } = (await log.latest(observationId(`t${i}`), ada)) ?? {}
        must.hold(payload?.['content'] === content, `text ${i} is the same`)
        must.equal(Object.entries(payload?.['data'] ?? {}), [[content.slice(0, 40), content]], `data ${i}`)
      }
    },
  },
  {
    id: 'secrets-replaced',
    sentence: 'what looks like a key is replaced before it is stored, except in the fields that something runs with',
    async check({ store: { log } }) {
      // The token is assembled at run time, because a secret scanner would otherwise report this file.
      const token = ['gh', 'p_', 'aB3xK9'.repeat(6)].join('')
      const text = `the token is ${token} for now`
      const result = { header: text }
      await log.append(
        [step('a', { title: text, result }), observation('o', text, {}, { data: { said: [text] } })],
        ada,
      )
      await log.append([move('a', { title: `again ${token}` })], ada)
      const [a, o] = [await log.latest(stepId('a'), ada), await log.latest(observationId('o'), ada)]
      must.equal(a?.payload['result'], result, 'a field kept as it was given')
      must.equal(a?.payload['title'], 'again [redacted: github-token]', 'a field of a second version')
      must.equal(
        [o?.payload['content'], o?.payload['data']],
        ['the token is [redacted: github-token] for now', { said: ['the token is [redacted: github-token] for now'] }],
        'fields at any depth',
      )
      const kept = [...(await log.history(stepId('a'), ada)), ...(await log.history(observationId('o'), ada))]
      const others = kept.map(({ payload }) => JSON.stringify({ ...payload, result: undefined }))
      must.hold(!others.some((json) => json.includes(token)), 'no version of another field holds it')
    },
  },
  {
    id: 'clock-decides-nothing',
    sentence: 'versions of one millisecond and versions after a clock that jumped back keep their order',
    needs: ['clock'],
    async check({ store: { log }, setClock }) {
      const times = [5_000, 5_000, 1_000, 9_000, 2_000]
      for (const [i, at] of times.entries()) {
        setClock(at)
        await log.append([observation('o', `version ${i + 1}`)], ada)
      }
      const head = await log.latest(observationId('o'), ada)
      must.equal(
        [head?.version, head?.payload['content'], head?.createdAt],
        [5, 'version 5', 2_000],
        'the newest version',
      )
      const history = await log.history(observationId('o'), ada)
      must.equal(
        history.map(({ createdAt }) => createdAt),
        times,
        'times in the order of versions',
      )
      const page = await log.scan({ owner: 'ada', versions: 'all' })
      must.equal(
        page.nodes.map(({ version }) => version),
        [1, 2, 3, 4, 5],
        'versions in the order of the log',
      )
    },
  },
]
