import { expect, it } from 'vitest'
import { scenarios, shrink, simulate } from '../simulator/simulate.mjs'

/** Always the same ones, so that a red run is about what changed; `npm run simulate` looks for new ones. */
const seeds = 200

it.each(Object.keys(scenarios))('%s: keeps what is promised, seed after seed', async (name) => {
  for (let seed = 1; seed <= seeds; seed++) {
    const { broken, struck } = await simulate(name, { seed })
    const least = broken.length === 0 ? undefined : await shrink(name, { seed, struck })
    expect({ seed, ...least }).toEqual({ seed })
  }
})
