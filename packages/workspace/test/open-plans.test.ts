import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { NewStep } from '@agentm/harness'
import { filePath } from '@agentm/vault-lock'
import { openWorkspace, type Plans } from '@agentm/workspace'
import { expect, it, onTestFinished } from 'vitest'

async function world(config: Readonly<Record<string, unknown>> = {}) {
  const home = filePath(await realpath(await mkdtemp(path.join(tmpdir(), 'agentm-harness-'))))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const file = async (name: string, text: string) => {
    await mkdir(path.dirname(path.join(home, name)), { recursive: true })
    await writeFile(path.join(home, name), text)
    return path.join(home, name)
  }
  await file('.claude/.agentm-config.json', JSON.stringify({ owner: 'ada', ...config }))
  const open = async () => {
    const env = { XDG_CACHE_HOME: path.join(home, '.cache'), PATH: process.env['PATH'] }
    const workspace = await openWorkspace(home, { world: { env, home, installations: [] } })
    onTestFinished(() => workspace.close())
    return workspace.plans()
  }
  return { home, file, open }
}

async function ends(opened: Plans, step: Omit<NewStep, 'key' | 'title'>) {
  const worker = await opened.startWorker({ onError: (error) => expect.unreachable(String(error)) })
  try {
    const { planId, steps } = await opened.harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'A', ...step }] })
    const { payload } = await opened.harness.ended(planId)
    return { plan: payload, step: (await opened.harness.step(steps['a'] ?? '')).payload }
  } finally {
    await worker.stop()
  }
}

it('runs a command only where the config of the user allows it', async () => {
  const command: Omit<NewStep, 'key' | 'title'> = { kind: 'command', input: { command: 'pwd' } }
  const elsewhere = await (await world()).open()
  const worker = await elsewhere.startWorker()
  const { steps } = await elsewhere.harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'A', ...command }] })
  await worker.idle()
  await worker.stop()
  expect((await elsewhere.harness.step(steps['a'] ?? '')).payload).toMatchObject({ status: 'ready', attempt: 0 })

  const { open, home } = await world({ 'harness.kinds': ['command'] })
  const ran = await ends(await open(), command)
  expect(ran.plan.status).toBe('done')
  expect(ran.step.result).toMatchObject({ stdout: `${home}\n` })
})

it('runs a function of a listed module, and of no other', async () => {
  const { file, open } = await world({ 'harness.kinds': ['module'], 'harness.modules': ['~/steps.mjs'] })
  const source = 'export const double = (run, { n }) => ({ doubled: 2 * n })'
  const listed = await file('steps.mjs', source)
  const other = await file('other.mjs', source)
  const input = { export: 'double', args: { n: 21 } }
  const opened = await open()
  expect((await ends(opened, { kind: 'module', input: { module: listed, ...input } })).step.result).toEqual({
    doubled: 42,
  })
  const refused = await ends(opened, { kind: 'module', input: { module: other, ...input } })
  expect(refused.step).toMatchObject({ status: 'failed', failures: 1, failure: { code: 'HARNESS_CONFIG' } })
  expect(refused.step.errorMessage).toContain('is not among harness.modules')
})

it('refuses to start a worker for a kind that does not exist', async () => {
  const { open } = await world({ 'harness.kinds': ['comand'] })
  await expect((await open()).startWorker()).rejects.toMatchObject({ code: 'HARNESS_CONFIG' })
})

it('serves the owners that the config names', async () => {
  const { open, file } = await world({ 'harness.kinds': ['command'] })
  const ada = await open()
  const { planId } = await ada.harness.createPlan({
    goal: 'g',
    steps: [{ key: 'a', title: 'A', kind: 'command', input: { command: 'true' } }],
  })
  const config = { owner: 'bob', 'harness.kinds': ['command'] }
  await file('.claude/.agentm-config.json', JSON.stringify(config))
  const own = await (await open()).startWorker()
  await own.idle()
  await own.stop()
  expect((await ada.harness.plan(planId)).payload.status).toBe('open')

  await file('.claude/.agentm-config.json', JSON.stringify({ ...config, 'harness.owners': ['bob', 'ada'] }))
  const both = await (await open()).startWorker()
  expect((await ada.harness.ended(planId)).payload.status).toBe('done')
  await both.stop()
})

it('keeps a plan in the project of the directory', async () => {
  const { open } = await world()
  const { harness } = await open()
  const { planId } = await harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'A' }] })
  expect((await harness.plan(planId)).partition).toBe('_global')
  const other = await harness.createPlan({ goal: 'g', steps: [{ key: 'a', title: 'A' }], partition: 'acme' })
  expect((await harness.plan(other.planId)).partition).toBe('acme')
})
