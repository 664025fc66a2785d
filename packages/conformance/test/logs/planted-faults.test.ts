/** Each log contract fails for a store that breaks it; a contract nobody can fail proves nothing. */
import { createInMemoryStore, logContracts, type MakeLog, runLogContract } from '@agentm/conformance/logs'
import type {
  Draft,
  Head,
  Node,
  NodeLog,
  NodeStore,
  Page,
  RecallAnswer,
  RecallHit,
  RecallStore,
  ScanQuery,
  WorkLog,
} from '@agentm/nodes'
import { expect, test } from 'vitest'

/** A sound store with something changed. */
type Fault = (store: NodeStore) => NodeStore

const faults: Readonly<Record<string, Fault>> = {
  'versions-rise': log((sound) => ({
    append: async (drafts, options) => (await sound.append(drafts, options)).map((node) => ({ ...node, version: 1 })),
  })),
  'writes-merge': log((sound) => ({
    append: (drafts, options) =>
      sound.append(
        drafts.map((draft) => ({ ...draft, unset: [] })),
        options,
      ),
  })),
  'secrets-replaced': log((sound) => {
    const titles = new Map<string, unknown>()
    return {
      append: async (drafts, options) => {
        const nodes = await sound.append(drafts, options)
        for (const [i, { id }] of nodes.entries()) titles.set(id, drafts[i]?.payload['title'])
        return nodes
      },
      latest: async (id, options) => {
        const head = await sound.latest(id, options)
        return (
          head && {
            ...head,
            payload: { ...head.payload, ...(titles.get(id) !== undefined && { title: titles.get(id) }) },
          }
        )
      },
    }
  }),
  'all-or-nothing': log((sound) => ({
    async append(drafts, options) {
      const nodes: Node[] = []
      for (const draft of drafts) nodes.push(...(await sound.append([draft], options)))
      return nodes
    },
  })),
  'expected-versions': log((sound) => ({
    append: (drafts, { expects: _expects, ...options }) => sound.append(drafts, options),
  })),
  'concurrent-appends': log((sound) => ({
    append: (drafts, { expects: _expects, ...options }) => sound.append(drafts, options),
  })),
  'guarded-transitions': quiet('GUARD_REFUSED'),
  'guard-details': quiet('GUARD_REFUSED'),
  'closed-payloads': quiet('INVALID_PAYLOAD'),
  ids: log((sound) => ({
    append: (drafts, options) =>
      sound.append(
        drafts.map((draft) => ({ id: 'same', ...draft })),
        options,
      ),
  })),
  stamps: log((sound) => ({ append: (drafts, options) => sound.append(drafts, { ...options, actor: 'somebody' }) })),
  'updates-need-something': quiet('ABSENT_NODE'),
  'owners-apart': log((sound) => ({
    latest: async (id) => (await sound.latest(id, { owner: 'ada' })) ?? sound.latest(id, { owner: 'bob' }),
  })),
  'owner-required': quiet('OWNER_REFUSED'),
  dependencies: heads((head) => ({ ...head, remaining: 0 })),
  'freed-dependents': log((sound) => ({
    append: (drafts, { freed: _freed, ...options }) => sound.append(drafts, options),
  })),
  'freed-touched': log((sound) => ({
    async append(drafts, { freed, ...options }) {
      const nodes = await sound.append(drafts, options)
      if (freed === undefined) return nodes
      const { nodes: free } = await sound.scan({ owner: options.owner, status: freed.status, maxRemaining: 0 })
      await sound.append(
        free.map(({ id }) => ({ ...freed, id })),
        options,
      )
      return nodes
    },
  })),
  'freed-once': log((sound) => ({
    append: (drafts, { freed, ...options }) =>
      sound.append(drafts, drafts.length > 1 && freed !== undefined ? { ...options, freed } : options),
  })),
  'freed-crowd': log((sound) => ({
    append: (drafts, { freed: _freed, ...options }) => sound.append(drafts, options),
  })),
  'large-and-unicode': heads((head) => ({
    ...head,
    payload: { ...head.payload, content: String(head.payload['content']).normalize('NFD') },
  })),
  'clock-decides-nothing': log((sound) => ({
    async history(id, options) {
      return (await sound.history(id, options)).toSorted((a, b) => a.createdAt - b.createdAt)
    },
  })),
  'scan-filters': scans((query) => ({ ...query, order: 'oldest' })),
  'latest-first': scans(({ status: _status, ...query }) => query),
  'feed-in-order': log((sound) => ({
    async *feed(options) {
      for await (const event of sound.feed(options)) yield { ...event, oldStatus: undefined }
    },
  })),
  'feed-wakes': log((sound) => ({
    async *feed(options) {
      for await (const event of sound.feed({ after: 0, ...options })) yield event
    },
  })),
  'prune-removes': log((sound) => {
    const gone = new Map<string, readonly Node[]>()
    return {
      prune: async (nodes, options) => {
        for (const { id } of nodes) gone.set(id, await sound.history(id, options))
        return sound.prune(nodes, options)
      },
      history: async (id, options) => gone.get(id) ?? sound.history(id, options),
    }
  }),
  'prune-again': log((sound) => ({
    prune: async (nodes, options) => ({ ...(await sound.prune(nodes, options)), nodes: nodes.length }),
  })),
  'prune-numbers': log((sound) => ({
    prune: async (nodes, options) => ({ ...(await sound.prune(nodes, options)), stayed: [] }),
  })),
  'prune-cited': log((sound) => ({
    prune: async (nodes, options) => {
      const reports = []
      for (const node of nodes.toReversed()) reports.push(await sound.prune([node], options))
      const [first = { nodes: 0, versions: 0, stayed: [] }] = reports
      return { ...first, nodes: reports.filter((report) => report.nodes > 0).length }
    },
  })),
  'prune-changed': log((sound) => ({
    prune: async (nodes, options) => {
      const now = nodes.map(async ({ id }) => ({ id, version: (await sound.latest(id, options))?.version ?? 0 }))
      return sound.prune(await Promise.all(now), options)
    },
  })),
  'prune-owner': log((sound) => ({
    prune: async (nodes) => sound.prune(nodes, { owner: 'ada' }),
  })),
  'prune-feed': log((sound) => ({
    async *feed(options) {
      let after = options.after ?? 0
      for await (const event of sound.feed(options)) {
        if (event.node.seq > after + 1) return
        after = event.node.seq
        yield event
      }
    },
  })),
  'prune-redacted': log((sound) => ({
    prune: async (nodes, options) => {
      const found = await Promise.all(nodes.map(async ({ id }) => sound.latest(id, options)))
      return sound.prune(
        nodes.filter((_, i) => found[i]?.redacted === false),
        options,
      )
    },
  })),
  'prune-reclaims': (store) => {
    let reclaimed = false
    const reclaim = async () => {
      reclaimed = true
    }
    const forgetful = answers((answer) => (reclaimed ? { ...answer, hits: answer.hits.slice(1) } : answer))(store)
    return { ...forgetful, log: { ...forgetful.log, reclaim } }
  },
  redaction: log(() => ({ redact: async () => undefined })),
  'redaction-keeps-structure': heads((head) => (head.redacted ? { ...head, status: undefined } : head)),
  'heads-are-a-fold': (store) => {
    let rebuilt = false
    const rebuild = async () => {
      rebuilt = true
    }
    const forgetful = answers((answer) => (rebuilt ? { ...answer, hits: [] } : answer))(store)
    return { ...forgetful, log: { ...forgetful.log, rebuild } }
  },
  'owners-listed': log((sound) => ({ owners: () => sound.owners() })),
  closing: (store) => ({ ...store, close: async () => undefined }),
  'claims-once': work((sound) => ({
    take: async (options) => (await sound.take(options)).flatMap((head) => [head, head]),
  })),
  'partition-limit': work((sound) => ({ take: (options) => sound.take({ ...options, perPartition: 100 }) })),
  'oldest-first': work((sound) => ({ take: async (options) => (await sound.take(options)).toReversed() })),
  'fair-partitions': work((sound) => ({ take: (options) => sound.take({ ...options, partition: 'crowd' }) })),
  'take-scope': work((sound) => ({ take: (options) => sound.take({ ...options, owners: ['ada', 'bob'] }) })),
  'take-children': work((sound) => ({ take: ({ parents: _parents, ...options }) => sound.take(options) })),
  'take-kinds': work((sound) => ({ take: ({ kinds: _kinds, ...options }) => sound.take(options) })),
  fencing: log((sound) => ({ append: (drafts, { expects: _expects, ...options }) => sound.append(drafts, options) })),
  'sessions-renew': work((sound) => ({
    async renew(session, options) {
      const renewal = await sound.renew(session, options)
      return renewal && { ...renewal, claims: renewal.claims.map((claim) => ({ ...claim, held: false })) }
    },
  })),
  'abandoned-work': work((sound) => ({
    abandoned: async (options) => (await sound.abandoned(options)).filter(({ why }) => why !== 'lease'),
  })),
  'limit-at-once': log((sound) => ({
    append: (drafts, options) => sound.append(drafts.map(without('limit')), options),
  })),
  'limit-race': log((sound) => ({
    append: (drafts, options) => sound.append(drafts.map(without('limit')), options),
  })),
  'rate-of-starts': log((sound) => ({
    append: (drafts, options) => sound.append(drafts.map(without('rate')), options),
  })),
  'closed-gate-hides-nothing': work((sound) => ({
    take: async ({ k, ...options }) => (await sound.take({ ...options, k: 40 })).slice(0, k),
  })),
  'priority-ages': log((sound) => ({
    append: (drafts, options) => sound.append(drafts.map(without('priority')), options),
  })),
  'nothing-starves': log((sound) => ({
    append: (drafts, options) =>
      sound.append(
        drafts.map(({ payload, ...draft }) => ({
          ...draft,
          payload: {
            ...payload,
            ...(payload['priority'] !== undefined && { priority: Number(payload['priority']) * 100 }),
          },
        })),
        options,
      ),
  })),
  'start-delayed': log((sound) => ({
    append: (drafts, options) => sound.append(drafts.map(without('startAt')), options),
  })),
  'overdue-left': log((sound) => ({
    append: (drafts, options) => sound.append(drafts.map(without('expiresAt')), options),
  })),
  timers: work((sound) => ({ due: async (options) => (await sound.due(options)).toReversed() })),
  tally: work(() => ({ tally: async () => ({ pending: 3 }) })),
  'seed-formula': hits((hit) => ({ ...hit, recency: 1, score: hit.score + 0.3 * (1 - hit.recency) })),
  'without-vector': answers((answer) => ({
    ...answer,
    hits: answer.hits.filter(({ similarity }) => similarity !== undefined),
  })),
  'pending-vectors': recall((sound) => ({ pending: async (query) => ({ ...(await sound.pending(query)), total: 0 }) })),
  'embedders-apart': hits((hit) => ({ ...hit, similarity: hit.similarity ?? 0 })),
  'bad-vectors': quiet('INVALID_VECTOR'),
  'newest-version-only': hits((hit) => ({ ...hit, lexical: 1 })),
  'recall-filters': recall((sound) => ({ recall: ({ partitions: _partitions, ...query }) => sound.recall(query) })),
  'recall-arguments': recall((sound) => ({ recall: (query) => sound.recall({ ...query, text: `${query.text}x` }) })),
  'stable-ties': answers((answer) => ({ ...answer, hits: answer.hits.toReversed() })),
  'beliefs-age': hits((hit) => ({ ...hit, recency: 1 })),
  'found-as-before': hits((hit) => ({ ...hit, version: 1 })),
  'found-by-heads': recall((sound) => ({ recall: ({ status: _status, ...query }) => sound.recall(query) })),
  'exact-top-k': answers((answer) => ({
    ...answer,
    hits: answer.hits.length > 5 ? answer.hits : answer.hits.slice(1),
  })),
}

const within = logContracts.filter(
  ({ needs = [] }) => !needs.some((need) => need === 'processes' || need === 'reopening'),
)

test('every contract of one process has a planted fault', () => {
  expect(Object.keys(faults).toSorted()).toEqual(within.map(({ id }) => id).toSorted())
})

test.each(within.map((contract) => [contract.sentence, contract] as const))(
  'a fault is found: %s',
  async (_, contract) => {
    const fault = faults[contract.id] ?? ((store) => store)
    const make: MakeLog = async ({ concepts, runtime }) => fault(createInMemoryStore({ concepts, runtime }))
    expect((await runLogContract(contract, make, { offers: ['clock'] })).outcome).toBe('failed')
  },
)

const across = logContracts.filter((contract) => !within.includes(contract))

test.each(across.map((contract) => [contract.sentence, contract] as const))(
  'a store that each process has for itself is found: %s',
  async (_, contract) => {
    const module = new URL('own-store.mjs', import.meta.url).href
    const processes = () => ({ module, settings: {} })
    expect((await runLogContract(contract, eachItsOwn, { offers: ['reopening'], processes })).outcome).toBe('failed')
  },
)

const eachItsOwn: MakeLog = async ({ concepts, runtime }) => createInMemoryStore({ concepts, runtime })

function log(change: (sound: NodeLog) => Partial<NodeLog>): Fault {
  return (store) => ({ ...store, log: { ...store.log, ...change(store.log) } })
}

function work(change: (sound: WorkLog) => Partial<WorkLog>): Fault {
  return (store) => ({ ...store, work: { ...store.work, ...change(store.work) } })
}

/** A draft whose field is lost on its way. */
function without(field: string): (draft: Draft) => Draft {
  return ({ payload: { [field]: _lost, ...payload }, ...draft }) => ({ ...draft, payload })
}

function recall(change: (sound: RecallStore) => Partial<RecallStore>): Fault {
  return (store) => ({ ...store, recall: { ...store.recall, ...change(store.recall) } })
}

/** Every head a caller sees, changed. */
function heads(change: (head: Head) => Head): Fault {
  return log((sound) => ({
    async latest(id, options) {
      const head = await sound.latest(id, options)
      return head && change(head)
    },
  }))
}

function scans(change: (query: ScanQuery) => ScanQuery): Fault {
  return log((sound) => {
    const scan = async (query: ScanQuery): Promise<Page<Head>> => sound.scan(change(query))
    return { scan }
  })
}

function answers(change: (answer: RecallAnswer) => RecallAnswer): Fault {
  return recall((sound) => ({ recall: async (query) => change(await sound.recall(query)) }))
}

function hits(change: (hit: RecallHit) => RecallHit): Fault {
  return answers((answer) => ({ ...answer, hits: answer.hits.map(change) }))
}

/** Swallows one refusal and goes on as if nothing had been asked. */
function quiet(code: string): Fault {
  const swallowing = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...values: unknown[]) => swallow(Reflect.apply(method, target, values), code)
      },
    })
  return (store) => ({ ...store, log: swallowing(store.log), recall: swallowing(store.recall) })
}

function swallow(answer: unknown, code: string): unknown {
  if (!(answer instanceof Promise)) return answer
  return answer.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === code) return []
    throw error
  })
}
