/** The other end of `LogCrew`: one process, one store, one task. */
import { isNodesError, type NodeStore } from '@agentm/nodes'
import { freed } from '../contracts/freed-contracts.ts'
import { ada, move, observation, stepId } from '../drafts.ts'
import { seededRandom } from '../../pure/seeded-random.ts'
import type { LogProcesses } from './log-crew.ts'
import type { LogTask } from './log-task.ts'

type Tasks = { readonly [K in LogTask['do']]: (store: NodeStore, task: Extract<LogTask, { do: K }>) => Promise<void> }

const tasks: Tasks = {
  async append({ log }, { prefix, count, durability }) {
    for (let i = 0; i < count; i++) {
      await log.append([observation(`${prefix}${i}`, `text ${i} of ${prefix}`)], { ...ada, durability })
      say(`${prefix}${i}`)
    }
  },
  async race({ log }, { steps, seed }) {
    const random = seededRandom(seed)
    const order = Array.from({ length: steps }, (_, i) => ({ i, at: random() })).toSorted((a, b) => a.at - b.at)
    const won: string[] = []
    for (const { i } of order) if (await claims(log, `s${i}`)) won.push(`s${i}`)
    say(won)
  },
  async take({ work }, { k }) {
    const { id: session } = await work.openSession({ actor: 'crew', leaseMs: 3_600_000 })
    const won: string[] = []
    for (;;) {
      const taken = await work.take({
        session,
        owners: ['ada'],
        concepts: ['v1:sample:step'],
        actor: 'crew',
        k,
        perPartition: 1e9,
      })
      if (taken.length === 0) break
      won.push(...taken.map(({ id }) => id))
    }
    say(won)
  },
  async follow({ log }, { count }) {
    const seqs: number[] = []
    say('following')
    for await (const { node } of log.feed({ owner: 'ada', after: 0 })) if (seqs.push(node.seq) === count) break
    say(seqs)
  },
  async end({ log }, { joins, mate, prefix = '' }) {
    for (let i = 0; i < joins; i++) {
      await log.append([move(`${prefix}j${i}x${mate}`, { status: 'done' })], { ...ada, durability: 'normal', freed })
      say(i)
    }
  },
  async hold({ work }, { leaseMs }) {
    const { id: session } = await work.openSession({ actor: 'crew', leaseMs })
    await work.hold(session)
    const taken = await work.take({ session, owners: ['ada'], concepts: ['v1:sample:step'], actor: 'crew', k: 1 })
    say(taken.map(({ id }) => id))
    await new Promise((resume) => setTimeout(resume, 120_000))
  },
}

async function claims(log: NodeStore['log'], id: string): Promise<boolean> {
  try {
    await log.append([move(id, { status: 'running' })], { ...ada, durability: 'normal', expects: { [stepId(id)]: 2 } })
    return true
  } catch (error) {
    if (isNodesError(error, 'VERSION_CONFLICT')) return false
    throw error
  }
}

function say(what: unknown): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}

async function run<K extends LogTask['do']>(on: NodeStore, what: Extract<LogTask, { do: K }>): Promise<void> {
  const perform: (store: NodeStore, task: typeof what) => Promise<void> = tasks[what.do]
  await perform(on, what)
}

const { module, settings, task }: LogProcesses & { readonly task: LogTask } = JSON.parse(process.argv[2] ?? '{}')
const { openConformanceStore }: { openConformanceStore: (settings: unknown) => Promise<NodeStore> } = await import(
  module
)
const store = await openConformanceStore(settings)
await run(store, task)
await store.close()
