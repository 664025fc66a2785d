import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { habitOf, habits } from '../eval/coding/erring-model.mjs'
import { tasks } from '../eval/coding/repositories.mjs'
import { passes, runTask, writeFiles } from '../eval/coding/run-task.mjs'

const patience = { timeout: 180_000 }

it('has twenty repositories, ten of them kept, and meets every habit', () => {
  expect(tasks).toHaveLength(20)
  expect(tasks.filter(({ part }) => part === 'kept')).toHaveLength(10)
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(20)
  expect(new Set(tasks.map(habitOf))).toEqual(new Set(Object.keys(habits)))
})

it('has a failing test in each repository, which passes with the fix', patience, async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'agentm-tasks-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  for (const task of tasks) {
    const root = path.join(home, task.name)
    await writeFiles(root, task.files)
    const before = await passes(task, root)
    await writeFiles(root, { [task.source]: task.fixed })
    expect([task.name, before, await passes(task, root)]).toEqual([task.name, false, true])
  }
})

it.each([
  ['weakens the test', 'slug'],
  ['is right in round 2', 'gcd'],
] as const)('counts a false success without the gate and none with it: a model that %s', patience, async (_, name) => {
  const task = tasks.find((each) => each.name === name)
  if (task === undefined) throw new TypeError(`there is no ${name}`)
  const without = await runTask(task, { hasGate: false, kills: 0, random: () => 0 })
  expect(without).toMatchObject({ status: 'done', isFixed: false })
  const gated = await runTask(task, { hasGate: true, kills: 1, random: () => 0.5 })
  expect(gated.isFixed).toBe(gated.status === 'done')
  expect(gated.leftovers).toEqual([])
})
