/** Every kind of page a log has, damaged one at a time. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { builtAnew, damagedWorld, isSaid, isSaidOnLooking, isWholeAgain, saysOfDamage } from './damaged-log.ts'

// Each of these is met in another place: by the write that ends a step, at the start, by the session, by a look.
it.each(['edges', 'nodes', 'sessions', 'heads_status'])(
  'a damaged page of %s ends a run, which names it',
  async (table) => {
    const world = await damagedWorld(table)
    expect(await saysOfDamage(world, [['run', world.planId]])).toEqual({ run: isSaid, ...isSaidOnLooking })
  },
)

const derived = ['edges', 'fairness', 'sessions', 'recall', 'recall_newest', 'words_data', 'embedders', 'counters']

describe('log rebuild', () => {
  it.each([...derived, 'nodes_version'])('brings back a log with a damaged page of %s', async (table) => {
    expect(await builtAnew(await damagedWorld(table))).toEqual(isWholeAgain)
  })

  it('cannot bring back a history that is damaged itself, and changes nothing', async () => {
    const { cli, log } = await damagedWorld('nodes')
    // Behind the header, which says how the file was last opened.
    const pages = async () => (await readFile(log)).subarray(100)
    const before = await pages()
    const { code, err } = await cli.agentm(['log', 'rebuild'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('the history in') })
    expect((await pages()).equals(before)).toBe(true)
  })
})
