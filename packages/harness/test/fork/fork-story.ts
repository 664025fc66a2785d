/** One plan, run and run again from a step, on any store: what a fork promises. */
import { openHarness, readTrace, replayPlan, startWorker, type StepKind } from '@agentm/harness'
import type { NodeStore } from '@agentm/nodes'

export interface ForkStory {
  readonly ran: readonly string[]
  /** What each step gave, in the original and in the fork. */
  readonly results: Readonly<Record<'original' | 'fork', Readonly<Record<string, unknown>>>>
  readonly statuses: Readonly<Record<string, string>>
  readonly usage: { readonly steps: number; readonly tokens: number }
  readonly again: { readonly created: boolean; readonly carried: number }
  readonly first: { readonly created: boolean; readonly carried: number }
  readonly origins: readonly string[]
  readonly replay: boolean
}

/** `fetch` and `notes` are independent; `build` needs `fetch`, `ship` needs both. The fork runs anew from `build`. */
export async function tellForkStory(store: NodeStore): Promise<ForkStory> {
  const ran: string[] = []
  const kind: StepKind = {
    name: 'work',
    async run(run) {
      const { key = '', input } = run.step
      ran.push(`${run.planId.split(':').at(-1)} ${key}`)
      await run.observe({ kind: 'note', content: key, data: { tokens: 10 } })
      const before = await run.dependencies()
      return {
        end: 'done',
        result: {
          value: `${key}(${before.map(({ result }) => result?.['value']).join()})${Number(input?.['as'] ?? 0)}`,
        },
      }
    },
  }
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const steps = [
    { key: 'fetch', title: 'Fetch', kind: 'work' },
    { key: 'notes', title: 'Write notes', kind: 'work' },
    { key: 'build', title: 'Build', kind: 'work', dependsOn: ['fetch'], input: { as: 1, kept: true } },
    { key: 'ship', title: 'Ship', kind: 'work', dependsOn: ['build', 'notes'] },
  ]
  const original = await harness.createPlan({ id: 'one', goal: 'ship it', input: { tag: 'v1' }, steps })
  const worker = await startWorker({ store, owners: ['ada'], kinds: [kind] })
  try {
    await harness.ended(original.planId)
    const wish = { id: 'two', from: 'build', input: { tag: 'v2' }, stepInput: { as: 2 } }
    const first = await harness.forkPlan('one', wish)
    const again = await harness.forkPlan('one', wish)
    await harness.ended(first.planId)
    const trace = await readTrace(store.log, { planId: first.planId, owner: 'ada' })
    const replay = await replayPlan(store.log, { planId: first.planId, owner: 'ada' })
    return {
      ran,
      results: { original: await resultsOf(harness, original.planId), fork: await resultsOf(harness, first.planId) },
      statuses: {
        fork: (await harness.plan('two')).payload.status,
        original: (await harness.plan('one')).payload.status,
      },
      usage: await harness.usage(first.planId),
      first,
      again,
      origins: trace.events
        .filter(({ why }) => why.startsWith('from plan'))
        .map(({ kind: of, content, why }) => `${of} ${content}: ${why}`),
      replay: replay?.matches === true,
    }
  } finally {
    await worker.stop()
  }
}

async function resultsOf(
  harness: ReturnType<typeof openHarness>,
  planId: string,
): Promise<Readonly<Record<string, unknown>>> {
  const steps = await harness.steps(planId)
  return Object.fromEntries(steps.map(({ payload }) => [payload.key ?? '', payload.result?.['value']]))
}

/** What the story has to be, on every store. */
export const toldForkStory: Omit<ForkStory, 'usage' | 'first' | 'again' | 'ran'> = {
  results: {
    original: {
      fetch: 'fetch()0',
      notes: 'notes()0',
      build: 'build(fetch()0)1',
      ship: 'ship(build(fetch()0)1,notes()0)0',
    },
    fork: { fetch: 'fetch()0', notes: 'notes()0', build: 'build(fetch()0)2', ship: 'ship(build(fetch()0)2,notes()0)0' },
  },
  statuses: { original: 'done', fork: 'done' },
  origins: ['plan ship it: from plan one', 'step Fetch: from plan one', 'step Write notes: from plan one'],
  replay: true,
}
