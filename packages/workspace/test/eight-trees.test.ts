import { expect, it } from 'vitest'
import { crewForThisTest, expectUntouched, expectWhole } from './eight-trees.ts'

it(
  'keeps every edit of eight steps that work on one repository at once, in the order of the plan',
  { timeout: 120_000 },
  async () => {
    const crew = await crewForThisTest()
    const made = await crew.plan({ meet: true })
    await Promise.all([crew.start(), crew.start()])
    expect((await crew.harness.ended(made.planId)).payload).toMatchObject({ status: 'done' })
    expectUntouched(crew)
    await expectWhole(crew, made)
  },
)
