/** In any log, what leaves is what a naive reading of the rules allows, and nothing else. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { observationId, planId, RetentionWorld, stepId } from './retention-world.ts'

const statuses = ['open', 'running', 'done', 'done', 'done', 'failed', 'cancelled'] as const

interface MadePlan {
  readonly status: (typeof statuses)[number]
  readonly day: number
  readonly project: string
  readonly parent: number | undefined
  readonly follows: number | undefined
  readonly steps: number
}

interface MadeBelief {
  readonly plan: number
  readonly of: 'plan' | 'step' | 'step observation' | 'plan observation'
  readonly isActive: boolean
}

const index = fc.nat({ max: 30 })
const plan: fc.Arbitrary<MadePlan> = fc.record({
  status: fc.constantFrom(...statuses),
  day: fc.constantFrom(0, 10, 20, 30, 49, 50, 60),
  project: fc.constantFrom('attic', 'cellar'),
  parent: fc.option(index, { nil: undefined, freq: 3 }),
  follows: fc.option(index, { nil: undefined, freq: 3 }),
  steps: fc.integer({ min: 1, max: 3 }),
})
const belief: fc.Arbitrary<MadeBelief> = fc.record({
  plan: index,
  of: fc.constantFrom('plan', 'step', 'step observation', 'plan observation'),
  isActive: fc.boolean(),
})

/** Links point to earlier plans only. */
const earlier = (i: number, link: number | undefined) => (link === undefined || i === 0 ? undefined : link % i)

const sourceOf = ({ of }: MadeBelief, id: string) =>
  ({
    plan: planId(id),
    step: stepId(`${id}-0`),
    'step observation': observationId(`o-${id}-0`),
    'plan observation': observationId(`o-${id}`),
  })[of]

const world = fc.record({
  plans: fc.array(plan, { minLength: 1, maxLength: 12 }),
  beliefs: fc.array(belief, { maxLength: 4 }),
  learnedTo: fc.nat({ max: 14 }),
  rule: fc.record(
    { statuses: fc.constantFrom(['done'], ['failed', 'cancelled']), project: fc.constantFrom('attic', 'cellar') },
    { requiredKeys: [] },
  ),
})

it('nothing that is needed leaves, and everything else does', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ plans, beliefs, learnedTo, rule }) => {
      const made = RetentionWorld.inMemory()
      let position = 0
      for (const [i, each] of plans.entries()) {
        const [parent, follows] = [earlier(i, each.parent), earlier(i, each.follows)]
        const steps = Object.fromEntries(
          Array.from({ length: each.steps }, (_, k) => [`p${i}-${k}`, k === 0 ? [] : [`p${i}-${k - 1}`]]),
        )
        await made.plan(`p${i}`, {
          ...each,
          steps,
          parent: parent === undefined ? undefined : { plan: `p${parent}`, step: `p${parent}-0` },
          follows: follows === undefined ? undefined : `p${follows}`,
        })
        if (i < learnedTo) position = await made.store.log.position()
      }
      const cites = beliefs.map((each) => ({ ...each, plan: each.plan % plans.length }))
      for (const [i, each] of cites.entries())
        await made.belief(`b${i}`, [sourceOf(each, `p${each.plan}`)], each.isActive ? 'active' : 'pruned')
      await made.end()

      const kept = neededPlans(plans, { cites, learnedTo, rule })
      const expected = (await made.ids()).filter((id) => !/^([oet]-)?p/.test(id) || [...kept].some((i) => isOf(id, i)))
      await (await made.choose(rule, { episodes: position })).remove()
      expect(await made.ids()).toEqual(expected)
      expect((await made.store.log.check()).problems).toEqual([])
      const heads = await made.store.log.scan({ owner: 'ada', limit: 10_000 })
      await made.store.log.rebuild()
      expect(await made.store.log.scan({ owner: 'ada', limit: 10_000 })).toEqual(heads)
    }),
    { numRuns: 300 },
  )
})

/** The short ids of a plan and of everything that belongs to it. */
function isOf(id: string, i: number): boolean {
  return new RegExp(`^([oet]-)?p${i}(-|$)`).test(id)
}

/** Marks plans again and again until no rule marks another one. */
function neededPlans(
  plans: readonly MadePlan[],
  {
    cites,
    learnedTo,
    rule,
  }: {
    readonly cites: readonly MadeBelief[]
    readonly learnedTo: number
    readonly rule: { readonly statuses?: readonly string[]; readonly project?: string }
  },
): ReadonlySet<number> {
  const needed = new Set<number>()
  for (const [i, { status, day, project }] of plans.entries()) {
    const isRoot = earlier(i, plans[i]?.parent) === undefined
    const isUnwanted =
      (rule.statuses !== undefined && !rule.statuses.includes(status)) ||
      (rule.project !== undefined && rule.project !== project)
    if (status === 'open' || status === 'running' || day >= 50 || i >= learnedTo || (isRoot && isUnwanted))
      needed.add(i)
  }
  for (const { plan: i, isActive } of cites) if (isActive) needed.add(i)
  for (let before = -1; before !== needed.size;) {
    before = needed.size
    for (const [i, each] of plans.entries()) {
      const [parent, follows] = [earlier(i, each.parent), earlier(i, each.follows)]
      if (parent !== undefined && needed.has(i)) needed.add(parent)
      if (parent !== undefined && needed.has(parent)) needed.add(i)
      if (follows !== undefined && needed.has(i)) needed.add(follows)
    }
  }
  return needed
}
