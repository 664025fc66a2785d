import { describe, expect, it } from 'vitest'
import { asManyAsGood, mostListed } from '../../src/recall/pure/as-many-as-good.ts'
import { setup } from '../world.ts'

describe('asManyAsGood', () => {
  it.each([
    ['stops where the results become clearly worse', [...alike(23, 0.8), ...alike(20, 0.5)], 23],
    ['keeps the usual number, however poor', [...alike(3, 0.8), ...alike(20, 0.2)], 10],
    ['keeps everything that is as good', alike(17, 0.7), 17],
    ['has an upper limit', alike(90, 0.7), mostListed],
    ['adds nothing to few results', alike(4, 0.7), 4],
  ])('%s', (_, ranked, many) => {
    expect(asManyAsGood(ranked, 10)).toEqual(ranked.slice(0, many))
  })
})

describe('a question that asks for all of something', () => {
  const names = [
    'billing',
    'search',
    'mailer',
    'gateway',
    'scheduler',
    'importer',
    'auth',
    'reports',
    'uploads',
    'webhooks',
  ]
  const towns = ['Oslo', 'Turin', 'Lyon', 'Graz', 'Porto', 'Gdansk', 'Utrecht', 'Izmir', 'Kyoto', 'Busan']

  async function furnished() {
    const { memory, write } = await setup()
    for (const [i, name] of [...names, ...towns].entries())
      await write(`projects/acme/notes/port-${i}.md`, `We assigned port ${4000 + 17 * i} to ${name}.`)
    for (const [i, town] of towns.entries())
      await write(
        `projects/acme/notes/lunch-${i}.md`,
        `The canteen in ${town} closes at two, and we complained about that.`,
      )
    return memory
  }

  it('gets all of them, and nothing else', async () => {
    const { results } = await (await furnished()).recall({ text: 'which ports did we assign?' })
    expect(results).toHaveLength(20)
    expect(results.every(({ text }) => text.startsWith('We assigned port'))).toBe(true)
  })

  it('gets as many as were asked for, if a number was given', async () => {
    const memory = await furnished()
    expect((await memory.recall({ text: 'which ports did we assign?', k: 7 })).results).toHaveLength(7)
    expect((await memory.recall({ text: 'which port did we assign?' })).results).toHaveLength(10)
    expect((await memory.recall({ text: 'which port did we assign?', usual: 4 })).results).toHaveLength(4)
  })
})

function alike(many: number, probability: number) {
  return Array.from({ length: many }, () => ({ score: 1, probability }))
}
