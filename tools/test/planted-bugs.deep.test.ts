import { expect, it } from 'vitest'
import { findPlanted } from '../simulator/find-planted.mjs'
import { planted } from '../simulator/planted.mjs'
import { simulate } from '../simulator/simulate.mjs'

/** From the seed that showed it last: a change of the code may move it on, and then it may not be far. */
const seeds = 60
const found = planted.flatMap(({ seed, ...bug }) => (seed === undefined ? [] : [{ ...bug, seed }]))

it.concurrent.each(found)('the simulator finds: $name', { timeout: 120_000 }, async (bug) => {
  expect((await findPlanted(bug, { from: bug.seed, seeds }))?.said).toMatch(bug.says)
})

it('says nothing of those seeds when nothing is planted', async () => {
  const looked = new Map(found.map(({ scenario, seed }) => [`${scenario} ${seed}`, { scenario, seed }]))
  for (const { scenario, seed } of looked.values())
    expect({ seed, ...(await simulate(scenario, { seed })) }).toMatchObject({ seed, broken: [] })
})
