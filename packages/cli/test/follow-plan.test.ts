import { harnessConcepts, openHarness } from '@agentm/harness'
import { EventEmitter, once } from 'node:events'
import path from 'node:path'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { filePath } from '@agentm/vault-lock'
import { expect, it, onTestFinished } from 'vitest'
import { followPlan } from '../src/commands/plan/follow-plan.ts'
import { PlanProgress } from '../src/commands/plan/plan-progress.ts'
import { CliWorld } from './cli-world.ts'

it('tells what led to a question before it ends with it, however late that is heard', async () => {
  const cli = await CliWorld.forThisTest()
  const store = await openSqliteStore({ path: filePath(path.join(cli.home, 'log.db')), concepts: harnessConcepts })
  onTestFinished(() => store.close())
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const steps = [
    { key: 'a', title: 'a', kind: 'command' },
    { key: 'ok', title: 'ok', kind: 'approval', dependsOn: ['a'] },
  ]
  const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps })
  const listening = new EventEmitter()
  const listens = once(listening, 'begin')
  const log = Object.assign(Object.create(store.log) as typeof store.log, {
    async *feed(...args: Parameters<typeof store.log.feed>) {
      listening.emit('begin')
      for await (const event of store.log.feed(...args)) {
        yield event
        // Until here it was heard that a is done; the rest comes after a look or two.
        if (event.node.status === 'done') await new Promise((resolve) => setTimeout(resolve, 350))
      }
    },
  })
  const said: string[] = []
  const terminal = { err: (text: string) => said.push(text.trim()) } as unknown as ConstructorParameters<
    typeof PlanProgress
  >[0]
  const source = {
    work: store.work,
    harness: openHarness({ store: { log, work: store.work }, owner: 'ada', actor: 'test' }),
    policy: { owners: ['ada'], kinds: [] },
    runsHere: ['command', 'approval'],
  }
  const following = followPlan({
    source: source as unknown as Parameters<typeof followPlan>[0]['source'],
    planId,
    progress: new PlanProgress(terminal, { hears: false }),
    signal: AbortSignal.timeout(60_000),
    stays: false,
  })
  await listens
  const [a = '', ok = ''] = [ids['a'], ids['ok']]
  await harness.startStep(a, 's')
  await harness.completeStep(a)
  await harness.readyStep(ok)
  await harness.startStep(ok, 's')
  await harness.askQuestion(ok, { question: { id: 'q', text: 'Ship it?' } })
  expect(await following).toBe('waits')
  expect(said.map((line) => line.split(/\s/)[0])).toEqual(['running', 'done', 'running', 'blocked', 'asks'])
})

it('tells what led to the end of a plan that ended right after the first look', async () => {
  const cli = await CliWorld.forThisTest()
  const store = await openSqliteStore({ path: path.join(cli.home, 'log.db'), concepts: harnessConcepts })
  onTestFinished(() => store.close())
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const steps = ['a', 'b'].map((key) => ({ key, title: key, kind: 'command' }))
  const { planId, steps: ids } = await harness.createPlan({ goal: 'g', steps })
  let looks = 0
  const status = async (id: string) => {
    const standing = await harness.status(id)
    if (++looks > 1) return standing
    await harness.startStep(ids['a'] ?? '', 's')
    await harness.completeStep(ids['a'] ?? '')
    await harness.cancelPlan(planId)
    return standing
  }
  const said: string[] = []
  const terminal = { err: (text: string) => said.push(text.trim()) } as unknown as ConstructorParameters<
    typeof PlanProgress
  >[0]
  const policy = { owners: ['ada'], kinds: ['command'], modules: [] }
  const source = { work: store.work, harness: { ...harness, status }, policy, runsHere: ['command'] }
  const progress = new PlanProgress(terminal, { hears: false })
  const signal = AbortSignal.timeout(60_000)
  expect(await followPlan({ source, planId, progress, signal, stays: false })).toBe('ended')
  expect(said.map((line) => line.split(/\s/)[0])).toEqual(expect.arrayContaining(['running', 'done']))
})
