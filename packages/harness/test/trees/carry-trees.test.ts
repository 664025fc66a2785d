import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyPlan, carryTrees, discardPlan } from '../../src/trees/index.ts'
import { TreeWorld, writes } from './tree-world.ts'

const patience = { timeout: 60_000 }

async function ranOnce(world: TreeWorld) {
  let times = 0
  world.write('a.txt', 'a\n')
  world.commit()
  await world.worker()
  const made = await world.plan({
    left: { act: writes('left.txt', 'left\n') },
    right: { act: writes('right.txt', 'right\n') },
    both: {
      dependsOn: ['left'],
      act: (directory) => writeFileSync(path.join(directory, 'both.txt'), `${(times += 1)}\n`),
    },
  })
  await world.done(made.planId)
  return made
}

async function forkOf(world: TreeWorld, planId: string) {
  const fork = await world.world.harness.forkPlan(planId, {
    from: 'both',
    carryTrees: (carried) => carryTrees(world.trees, carried),
  })
  await world.done(fork.planId)
  const place = await world.trees.of({ owner: 'ada', planId: fork.planId })
  if (place === undefined) throw new Error('the fork has no trees')
  return { ...fork, place }
}

describe('a fork of a plan that keeps work apart', patience, () => {
  it('has what the carried steps changed, and merges it with what runs anew', async () => {
    const world = new TreeWorld()
    const { planId } = await ranOnce(world)
    const { place } = await forkOf(world, planId)
    const { files } = await applyPlan(place)
    expect(files.map((file) => file.path).toSorted()).toEqual(['both.txt', 'left.txt', 'right.txt'])
    expect([world.read('left.txt'), world.read('both.txt')]).toEqual(['left\n', '2\n'])
  })

  it('keeps it when the original is discarded', async () => {
    const world = new TreeWorld()
    const { planId, place: original } = await ranOnce(world)
    const { place } = await forkOf(world, planId)
    await discardPlan(original)
    world.git('gc', '-q', '--prune=now')
    await applyPlan(place)
    expect(world.read('left.txt')).toBe('left\n')
  })

  it('is refused when what a carried step changed is gone, and from the beginning it is not', async () => {
    const world = new TreeWorld()
    const { planId, place } = await ranOnce(world)
    await discardPlan(place)
    world.git('gc', '-q', '--prune=now')
    await expect(forkOf(world, planId)).rejects.toMatchObject({ code: 'TREES_REFUSED' })
    expect((await world.world.harness.forkPlan(planId)).carried).toBe(0)
  })

  it('is refused without a program that opens trees, and where steps share one', async () => {
    const world = new TreeWorld()
    const { planId } = await ranOnce(world)
    await expect(world.world.harness.forkPlan(planId, { from: 'both' })).rejects.toMatchObject({ code: 'FORK_REFUSED' })
    const shared = await world.plan(
      { one: { act: writes('one.txt', '1\n') }, two: { dependsOn: ['one'], act: writes('two.txt', '2\n') } },
      { mode: 'shared' },
    )
    await world.done(shared.planId)
    const carry = { from: 'two', carryTrees: async () => undefined }
    await expect(world.world.harness.forkPlan(shared.planId, carry)).rejects.toThrow('share a tree')
  })
})
