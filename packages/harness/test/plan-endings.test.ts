import { createInMemoryStore } from '@agentm/conformance/logs'
import { harnessConcepts, openHarness, startWorker, type StepKind } from '@agentm/harness'
import type { FeedEvent, FeedOptions, NodeStore } from '@agentm/nodes'
import { expect, it } from 'vitest'

const kind: StepKind = { name: 'nothing', run: async () => ({ end: 'done' }) }

it('reads one feed, however many wait for the end of a plan, and none once nobody waits', async () => {
  const { store, feeds } = setup()
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const plans = await Promise.all(Array.from({ length: 20 }, async () => harness.createPlan(onePlan)))
  const endings = plans.map(async ({ planId }) => harness.ended(planId))
  const twice = plans.map(async ({ planId }) => harness.ended(planId))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(feeds.filter(isOfPlans)).toHaveLength(1)
  const worker = await startWorker({ store: store.plain, owners: ['ada'], kinds: [kind] })
  const heads = await Promise.all([...endings, ...twice])
  expect(heads.map(({ id, status }) => [id, status])).toEqual(
    [...plans, ...plans].map(({ planId }) => [planId, 'done']),
  )
  await expect.poll(() => feeds.filter(isOfPlans)[0]?.signal?.aborted).toBe(true)
  const { planId } = await harness.createPlan(onePlan)
  expect((await harness.ended(planId)).status).toBe('done')
  await worker.stop()
})

it('lets the others wait on when one gives up', async () => {
  const { store } = setup()
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const { planId } = await harness.createPlan(onePlan)
  const giving = new AbortController()
  const patient = harness.ended(planId)
  const impatient = harness.ended(planId, { signal: giving.signal })
  giving.abort(new Error('enough'))
  await expect(impatient).rejects.toThrow('enough')
  await harness.cancelPlan(planId)
  expect((await patient).status).toBe('cancelled')
  // What has ended is told even to who gave up before.
  expect((await harness.ended(planId, { signal: giving.signal })).status).toBe('cancelled')
})

it('tells a fault of the feed to all who wait, and reads it anew for the next', async () => {
  const { store, breakNext } = setup()
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const { planId } = await harness.createPlan(onePlan)
  breakNext()
  const all = await Promise.allSettled([harness.ended(planId), harness.ended(planId)])
  expect(all.map((each) => (each.status === 'rejected' ? String(each.reason) : 'ended'))).toEqual([
    'Error: the line broke',
    'Error: the line broke',
  ])
  const again = harness.ended(planId)
  await harness.cancelPlan(planId)
  expect((await again).status).toBe('cancelled')
})

it('does not wait for plans of somebody else', async () => {
  const { store } = setup()
  const [ada, bob] = ['ada', 'bob'].map((owner) => openHarness({ store, owner, actor: 'test' }))
  const plans = [await ada?.createPlan({ ...onePlan, id: 'a' }), await bob?.createPlan({ ...onePlan, id: 'b' })]
  const [adas, bobs] = [ada?.ended(plans[0]?.planId ?? ''), bob?.ended(plans[1]?.planId ?? '')]
  await bob?.cancelPlan(plans[1]?.planId ?? '')
  expect((await bobs)?.id).toBe(plans[1]?.planId)
  await ada?.cancelPlan(plans[0]?.planId ?? '')
  expect((await adas)?.id).toBe(plans[0]?.planId)
})

const onePlan = { goal: 'end', steps: [{ key: 'a', title: 'a', kind: 'nothing' }] }

/** A store that tells which feeds are read. */
function setup() {
  const plain = createInMemoryStore({ concepts: harnessConcepts })
  const feeds: FeedOptions[] = []
  let isBroken = false
  const store: NodeStore & { readonly plain: NodeStore } = {
    ...plain,
    plain,
    log: {
      ...plain.log,
      feed(options) {
        feeds.push(options)
        if (!isBroken) return plain.log.feed(options)
        isBroken = false
        return brokenFeed()
      },
    },
  }
  return { store, feeds, breakNext: () => void (isBroken = true) }
}

// oxlint-disable-next-line require-yield -- it breaks before the first event
async function* brokenFeed(): AsyncGenerator<FeedEvent> {
  throw new Error('the line broke')
}

function isOfPlans({ concepts }: FeedOptions): boolean {
  return concepts?.length === 1 && concepts[0] === 'v1:harness:plan'
}
