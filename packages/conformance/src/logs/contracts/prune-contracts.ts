import type { Draft, NodeLog, PrunedNode, PruneReport } from '@agentm/nodes'
import { ada, belief, beliefId, bob, move, observation, observationId, plan, planId, step, stepId } from '../drafts.ts'
import type { LogContract } from '../log-contract.ts'
import { logMust as must } from '../log-must.ts'

export const pruneContracts: readonly LogContract[] = [
  {
    id: 'prune-removes',
    sentence:
      'pruning removes whole nodes: no read, scan, history, recall or feed finds them, and the log stays consistent',
    async check({ store: { log, recall } }) {
      await log.append([plan('p'), step('a', { planId: 'p' }), step('b', { planId: 'p', dependsOn: ['a'] })], ada)
      await log.append([move('a', { status: 'ready' }), move('a', { status: 'running', claimedBy: 's' })], ada)
      await log.append([observation('o', 'a purple lamp', {}, { stepId: 'a' }), observation('last', 'a lamp')], ada)
      const answer = await prune(log, [planId('p'), stepId('a'), stepId('b'), observationId('o')])
      must.equal(answer, { nodes: 4, versions: 6, stayed: [] }, 'the answer')
      must.equal(await log.latest(stepId('a'), ada), undefined, 'the newest version')
      must.equal(await log.history(stepId('a'), ada), [], 'the history')
      const all = (await log.scan({ owner: 'ada', versions: 'all' })).nodes.map(({ id }) => id)
      must.equal(all, [observationId('last')], 'what is left')
      const { hits } = await recall.recall({ owner: 'ada', text: 'purple lamp' })
      must.equal(
        hits.map(({ id }) => id),
        [observationId('last')],
        'what recall finds',
      )
      must.equal((await log.scan({ owner: 'ada', parent: planId('p') })).nodes, [], 'children')
      await consistent(log, { versions: 1, heads: 1 })
    },
  },
  {
    id: 'prune-again',
    sentence: 'an id that was pruned is new again, and pruning it twice does nothing',
    async check({ store: { log, recall } }) {
      await log.append([observation('o', 'the first text'), observation('last', 'a lamp')], ada)
      const pruned = [{ id: observationId('o'), version: 1 }]
      must.equal((await log.prune(pruned, ada)).nodes, 1, 'the first time')
      must.equal(await log.prune(pruned, ada), { nodes: 0, versions: 0, stayed: [] }, 'the second time')
      const [again] = await log.append([observation('o', 'the second text')], ada)
      must.equal(again?.version, 1, 'its version')
      const { hits } = await recall.recall({ owner: 'ada', text: 'first second' })
      const texts = hits.map(({ text }) => text).toSorted()
      must.equal(texts, ['a lamp', 'the second text'], 'what recall finds')
      await consistent(log, { versions: 2, heads: 2 })
    },
  },
  {
    id: 'prune-numbers',
    sentence: 'no sequence number is used twice, because the newest version of the log stays',
    async check({ store: { log } }) {
      await log.append([observation('a', 'one'), observation('b', 'two')], ada)
      const top = await log.position()
      const answer = await prune(log, [observationId('a'), observationId('b')])
      must.equal(answer.stayed, [{ id: observationId('b'), why: 'newest' }], 'what stayed')
      must.equal(await log.position(), top, 'the position')
      const [next] = await log.append([observation('c', 'three')], ada)
      must.hold((next?.seq ?? 0) > top, 'the next number is higher')
    },
  },
  {
    id: 'prune-cited',
    sentence:
      'what a node that stays refers to stays: parents, dependencies, indexed relations, and what those refer to',
    async check({ store: { log } }) {
      await log.append([plan('p'), step('a', { planId: 'p' }), step('b', { planId: 'p', dependsOn: ['a'] })], ada)
      await log.append([observation('o', 'seen', {}, { stepId: 'b' }), observation('free', 'seen too')], ada)
      await log.append([belief('m', { content: 'm', sourceEpisodes: [observationId('o')] })], ada)
      const all = [planId('p'), stepId('a'), stepId('b'), observationId('o'), observationId('free')]
      const cited = all.slice(0, -1).map((id) => ({ id, why: 'cited' as const }))
      must.equal(sorted(await prune(log, all)), { nodes: 1, versions: 1, stayed: cited.toSorted(byId) }, 'the answer')
      must.equal((await prune(log, [stepId('a')])).stayed, [{ id: stepId('a'), why: 'cited' }], 'a dependency alone')
      must.equal((await prune(log, [planId('p')])).stayed, [{ id: planId('p'), why: 'cited' }], 'a parent alone')
      await consistent(log, { versions: 5, heads: 5 })
      await log.append([observation('last', 'end')], ada)
      must.equal((await prune(log, [...all, beliefId('m')])).nodes, 5, 'together with the belief')
      await consistent(log, { versions: 1, heads: 1 })
    },
  },
  {
    id: 'prune-changed',
    sentence: 'a node that was written since it was chosen stays, and so does what it refers to',
    async check({ store: { log } }) {
      await log.append([plan('p'), step('a', { planId: 'p' }), observation('last', 'end')], ada)
      const chosen = await fenced(log, [planId('p'), stepId('a')])
      await log.append([move('a', { status: 'ready' })], ada)
      await log.append([observation('later', 'end')], ada)
      const answer = await log.prune(chosen, ada)
      must.equal(
        sorted(answer).stayed,
        [
          { id: planId('p'), why: 'cited' },
          { id: stepId('a'), why: 'changed' },
        ],
        'what stayed',
      )
      must.equal((await log.latest(stepId('a'), ada))?.status, 'ready', 'the changed step')
    },
  },
  {
    id: 'prune-owner',
    sentence: 'pruning touches only nodes of its owner, and refuses without one',
    async check({ store: { log } }) {
      await log.append([observation('o', 'of Ada'), observation('last', 'end')], ada)
      const chosen = await fenced(log, [observationId('o')])
      must.equal(await log.prune(chosen, bob), { nodes: 0, versions: 0, stayed: [] }, 'by another owner')
      must.equal((await log.latest(observationId('o'), ada))?.version, 1, 'it is still there')
      await must.refuse(() => log.prune(chosen, { owner: '' }), 'OWNER_REFUSED', 'no owner')
    },
  },
  {
    id: 'prune-feed',
    sentence: 'a feed that is behind continues after the gap and misses nothing that is left',
    async check({ store: { log } }) {
      for (let i = 0; i < 6; i++) await log.append([observation(`o${i}`, `text ${i}`)], ada)
      const first = (await log.history(observationId('o0'), ada))[0]?.seq ?? 0
      await prune(log, ['o1', 'o2', 'o4'].map(observationId))
      const stop = new AbortController()
      const seen: string[] = []
      const late = setTimeout(() => stop.abort(), 5_000)
      for await (const { node } of log.feed({ owner: 'ada', after: first, signal: stop.signal })) {
        seen.push(node.id)
        if (node.id === observationId('o5')) await log.append([observation('o6', 'new')], ada)
        if (node.id === observationId('o6')) break
      }
      clearTimeout(late)
      must.equal(seen, ['o3', 'o5', 'o6'].map(observationId), 'what the feed told')
    },
  },
  {
    id: 'prune-redacted',
    sentence: 'a redacted node can be pruned',
    async check({ store: { log } }) {
      await log.append([observation('o', 'a secret')], ada)
      await log.redact(observationId('o'), ada)
      await log.append([observation('last', 'end')], ada)
      must.equal(await prune(log, [observationId('o')]), { nodes: 1, versions: 2, stayed: [] }, 'the answer')
      await consistent(log, { versions: 1, heads: 1 })
    },
  },
  {
    id: 'prune-reclaims',
    sentence: 'after pruning, reclaiming space leaves the rest of the log as it was',
    async check({ store: { log, recall }, scale }) {
      const count = 300 * scale
      for (let i = 0; i < count; i += 100)
        await log.append(
          Array.from({ length: 100 }, (_, j) => longObservation(i + j)),
          ada,
        )
      const ids = Array.from({ length: count }, (_, i) => observationId(`o${i}`))
      const kept = ids.filter((_, i) => i % 10 === 9)
      for (let i = 0; i < count; i += 100)
        await prune(
          log,
          ids.slice(i, i + 100).filter((id) => !kept.includes(id)),
        )
      await log.reclaim()
      must.equal(
        (await log.scan({ owner: 'ada', limit: 10_000 })).nodes.map(({ id }) => id),
        kept,
        'what is left',
      )
      const { hits } = await recall.recall({ owner: 'ada', text: 'lamps', k: count })
      must.equal(hits.length, kept.length, 'what recall finds')
      await consistent(log, { versions: kept.length, heads: kept.length })
    },
  },
]

function longObservation(i: number): Draft {
  return observation(`o${i}`, `text ${i} ${'about lamps '.repeat(50)}`)
}

/** Prunes nodes at their present versions. */
async function prune(log: NodeLog, ids: readonly string[]): Promise<PruneReport> {
  return log.prune(await fenced(log, ids), ada)
}

async function fenced(log: NodeLog, ids: readonly string[]): Promise<readonly PrunedNode[]> {
  const nodes: PrunedNode[] = []
  for (const id of ids) nodes.push({ id, version: (await log.latest(id, ada))?.version ?? 0 })
  return nodes
}

/** The store finds no damage, and a rebuild changes nothing. */
async function consistent(log: NodeLog, wanted: { readonly versions: number; readonly heads: number }): Promise<void> {
  must.equal(await log.check(), { ok: true, problems: [], ...wanted }, 'the check')
  const heads = async () => (await log.scan({ owner: 'ada', limit: 10_000 })).nodes
  const before = await heads()
  await log.rebuild()
  must.equal(await heads(), before, 'heads after a rebuild')
  must.equal((await log.check()).problems, [], 'problems after a rebuild')
}

function sorted(report: PruneReport): PruneReport {
  return { ...report, stayed: report.stayed.toSorted(byId) }
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1
}
