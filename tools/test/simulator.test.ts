import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { planted } from '../simulator/planted.mjs'
import { Chance } from '../simulator/seeded.mjs'
import { scenarios, shrink, simulate } from '../simulator/simulate.mjs'

const names = Object.keys(scenarios)

it.each(names)('%s: keeps what is promised whatever befalls its processes', async (name) => {
  for (let seed = 1; seed <= 10; seed++) expect(await simulate(name, { seed })).toMatchObject({ broken: [] })
})

it.each(names)('%s: is the same every time', async (name) => {
  const once = await simulate(name, { seed: 11 })
  expect(await simulate(name, { seed: 11 })).toEqual(once)
  expect(once.struck.length).toBeGreaterThan(5)
  const [first = ''] = once.struck
  expect((await simulate(name, { seed: 11, only: [first] })).struck).toEqual([first])
})

async function breaksTogether(chance: Chance) {
  for (let i = 0; i < 20; i++) chance.strikes('a crash', 1)
  const hits = chance.struck.filter((fault) => fault === 'a crash #7' || fault === 'a crash #13')
  return hits.length === 2 ? ['both at once'] : []
}

it('shrinks to the faults that matter', async () => {
  const struck = Array.from({ length: 20 }, (_, i) => `a crash #${i + 1}`)
  expect(await shrink(breaksTogether, { seed: 1, struck })).toEqual({
    faults: ['a crash #7', 'a crash #13'],
    broken: ['both at once'],
  })
})

it.each(planted)('has a place for the planted bug: $name', ({ file, from }) => {
  const built = readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8')
  expect(built.split(from)).toHaveLength(2)
})
