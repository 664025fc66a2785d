/** A plan that goes every way a run can go, with a worker that dies at a given write of it. */
import type { NodeStore } from '@agentm/nodes'
import { openHarness, startWorker, type StepRun } from '../src/index.ts'
import { scripted, type Script, steps } from '../../../tools/harness-in-process.mjs'
import { type Death, mortalStore } from './mortal-store.ts'

const owner = 'ada'
const retry = { maxFailures: 3, maxCrashes: 9, baseMs: 1, capMs: 1 }

/** Every way a run can go: done, tried again, asking, starting a plan of its own, and doing what must not be done twice. */
function script(effects: Map<string, number>): Script {
  return {
    flaky: ({ step }) =>
      (step.failures ?? 0) < 1 ? { end: 'failed', failure: { message: 'busy', retryable: true } } : { end: 'done' },
    asks: ({ step }: StepRun) =>
      step.answers?.['q'] === undefined
        ? { end: 'asks', question: { id: 'q', text: 'go on?', default: 'yes', deadline: 1 } }
        : { end: 'done' },
    parent: async (run) => {
      const { planId } = await run.startPlan({
        key: 'c',
        goal: 'c',
        steps: steps({ inner: [], last: ['inner'] }, { retry }),
      })
      return (await run.planEnd(planId)).status === 'done'
        ? { end: 'done' }
        : { end: 'waits', waitsFor: { for: 'plan', planId } }
    },
    ...Object.fromEntries(
      effectful.map((title) => [
        title,
        ({ id }) => {
          effects.set(id, (effects.get(id) ?? 0) + 1)
          return { end: 'done' }
        },
      ]),
    ),
  }
}

const graph = {
  root: [],
  flaky: ['root'],
  asks: ['root'],
  parent: ['root'],
  join: ['flaky', 'asks', 'parent'],
  // More than there are slots: one of them is claimed while another one ends, and its intent is written with the claim.
  pay: ['join'],
  mail: ['join'],
  print: ['join'],
}
const effectful: readonly string[] = ['pay', 'mail', 'print']
const planned = steps(graph, { retry }).map((step) =>
  effectful.includes(step.key) ? { ...step, nature: 'effectful' as const, onUnknown: 'fail' as const } : step,
)
const stepCount = planned.length + 2

/** What became of one death, and what should have. */
export interface Recovered {
  readonly died: boolean
  readonly end: unknown
  readonly expected: unknown
}

/** A worker that dies before or after its nth write, on a store of its own; and another one that goes on. */
export async function dieAndRecover(death: Death, open: () => Promise<NodeStore>): Promise<Recovered> {
  const { died, inDoubt, ...end } = await runAndRecover(death, open)
  const expected = {
    plans: inDoubt > 0 ? ['done', 'failed'] : ['done', 'done'],
    steps: { done: stepCount - inDoubt, ...(inDoubt > 0 && { failed: inDoubt }) },
    effects: effectful.map((title) => `${title}: fits`),
    broken: [],
  }
  return { died, end, expected }
}

async function runAndRecover(death: Death, open: () => Promise<NodeStore>) {
  const store = await open()
  const effects = new Map<string, number>()
  const kinds = [scripted(script(effects))]
  const harness = openHarness({ store, owner, actor: 'test' })
  const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps: planned })
  const mortal = mortalStore(store, death)
  const doomed = startWorker({ store: mortal.store, owners: [owner], kinds, slots: 2 })
  await until(async () => mortal.isDead() || (await isOver(store, planId)))
  if (mortal.isDead()) {
    for (const { id } of await store.work.sessions()) await store.work.closeSession(id)
    const heir = await startWorker({ store, owners: [owner], kinds, slots: 2 })
    await until(() => isOver(store, planId))
    await heir.stop()
  } else await (await doomed).stop()
  const end = await endOf(store)
  let inDoubt = 0
  const told: string[] = []
  for (const title of effectful) {
    const { id, payload } = await harness.step(ids[title] ?? '')
    const times = effects.get(id) ?? 0
    if (payload.failure?.cause === 'unknown') inDoubt += 1
    const fits = payload.failure?.cause === 'unknown' ? times <= 1 : times === 1
    told.push(`${title}: ${fits ? 'fits' : `happened ${times} times`}`)
  }
  await store.close()
  return { died: mortal.isDead(), inDoubt, ...end, effects: told }
}

async function endOf(store: NodeStore) {
  const plans = await store.log.scan({ owner, concepts: ['v1:harness:plan'] })
  const found = await store.log.scan({ owner, concepts: ['v1:harness:step'] })
  const counts: Record<string, number> = {}
  const broken: string[] = []
  for (const { id, status = '' } of found.nodes) {
    counts[status] = (counts[status] ?? 0) + 1
    const history = await store.log.history(id, { owner })
    const results = history.filter(({ provenanceMutation }) => provenanceMutation === 'completeHarnessStep')
    if (results.length > 1) broken.push(`${id} was completed ${results.length} times`)
  }
  return { plans: plans.nodes.map(({ status }) => status ?? '').toSorted(), steps: counts, broken }
}

async function isOver(store: NodeStore, planId: string): Promise<boolean> {
  const head = await store.log.latest(planId, { owner })
  return head?.status !== 'open' && head?.status !== 'running'
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 1))
}
