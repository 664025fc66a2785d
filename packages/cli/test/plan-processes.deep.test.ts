/** Workers as their users run them: built processes that are killed, stopped and told to cancel. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPostgres, type OwnPostgres, startPostgres } from '../../../tools/postgres-server.mjs'
import { marking, PlanWorld } from './plan-world.ts'

/** A busy machine takes its time to start a process. */
const patience = { timeout: 180_000 }

const found = findPostgres()
let server: OwnPostgres | undefined
beforeAll(async () => {
  if (typeof found !== 'string') server = await startPostgres(found)
}, 60_000)
afterAll(async () => {
  await server?.stop()
})

async function world(log: 'SQLite' | 'PostgreSQL' = 'SQLite'): Promise<PlanWorld> {
  const made = await PlanWorld.make()
  if (log === 'PostgreSQL') made.cli.variables['AGENTM_NODES_URL'] = server?.url ?? ''
  // Each test is an owner of its own, so that one server serves them all.
  await made.cli.agentm(['config', 'set', 'owner', path.basename(made.cli.home)])
  return made
}

async function letGo({ cli }: PlanWorld): Promise<void> {
  await writeFile(path.join(cli.repo, 'go'), '')
}

describe.each(['SQLite', 'PostgreSQL'] as const)('on %s', (log) => {
  it(
    'a second worker goes on with what a killed one ran, and nothing that was done is done again',
    patience,
    async ({ skip }) => {
      if (log === 'PostgreSQL' && typeof found === 'string') skip(found)
      const plans = await world(log)
      const planId = await plans.plan(
        `goal: g\nsteps:\n${marking('first')}${marking('long', { until: 'go', dependsOn: ['first'] })}${marking('last', { dependsOn: ['long'] })}`,
      )
      const doomed = plans.cli.start(['worker'])
      await plans.untilTold('long 0')
      const { waiting } = await plans.state(planId)
      expect(waiting.find(({ title }) => title === 'long')?.runner?.pid).toBe(`${doomed.pid}`)
      const heir = plans.cli.start(['worker'])
      await heir.said('Worker')
      expect(await doomed.kill('SIGKILL')).toBe('SIGKILL')
      await plans.untilTold('long 1')
      await letGo(plans)
      const ended = await plans.until(planId, ({ status }) => status !== 'running')
      expect(ended.status).toBe('done')
      expect(plans.told()).toEqual(['first 0', 'long 0', 'long 1', 'last 0'])
      expect(await heir.kill('SIGTERM')).toBe(0)
    },
  )

  it('an approval given while no worker lives is found by the next one', patience, async ({ skip }) => {
    if (log === 'PostgreSQL' && typeof found === 'string') skip(found)
    const plans = await world(log)
    const planId = await plans.plan(
      `goal: g\nsteps:\n${marking('build')}  - { key: ok, kind: approval, dependsOn: build, title: 'Ship it?' }\n${marking('ship', { dependsOn: ['ok'] })}`,
    )
    const first = plans.cli.start(['worker'])
    await plans.until(planId, ({ waiting }) => waiting.some(({ status }) => status === 'blocked'))
    expect(await first.kill('SIGTERM')).toBe(0)
    expect(await plans.cli.json(['approve', `${planId}/ok`])).toMatchObject({ accepted: true })
    // The first answer counts, and a later one is told so.
    expect((await plans.cli.agentm(['approve', `${planId}/ok`, '--answer', 'deny'])).code).toBe(1)
    expect((await plans.cli.agentm(['run', planId])).code).toBe(0)
    expect(plans.told()).toEqual(['build 0', 'ship 0'])
  })
})

it('cancels code that runs in another process, and what was to follow never starts', patience, async () => {
  const plans = await world()
  const planId = await plans.plan(`goal: g
steps:
  - key: long
    kind: command
    input: { command: sh, args: [-c, 'trap "echo stopped >> told; exit 0" TERM; echo long >> told; while :; do sleep 0.02; done'] }
${marking('after', { dependsOn: ['long'] })}`)
  const worker = plans.cli.start(['worker'])
  await plans.untilTold('long')
  expect(plans.told()).not.toContain('stopped')
  expect(await plans.cli.json(['cancel', planId, '--reason', 'wrong branch'])).toMatchObject({ status: 'cancelled' })
  await plans.untilTold('stopped')
  expect(await worker.kill('SIGTERM')).toBe(0)
  expect(plans.told()).toEqual(['long', 'stopped'])
  const { timeline } = (await plans.cli.json(['trace', planId])) as { timeline: string }
  expect(timeline).toContain('[plan]   cancelled cancelHarnessPlan by agentm')
})

it('hands unfinished steps back when it is asked to end, and the next worker takes them', patience, async () => {
  const plans = await world()
  const planId = await plans.plan(`goal: g\nsteps:\n${marking('long', { until: 'go' })}`)
  const first = plans.cli.start(['worker', '--grace', '0'])
  await plans.untilTold('long 0')
  expect(await first.kill('SIGTERM')).toBe(0)
  expect(first.out).toContain('Stopped. Steps: 1 released.')
  expect((await plans.state(planId)).waiting).toMatchObject([{ status: 'ready', attempt: 1, help: 'agentm worker' }])
  await letGo(plans)
  expect((await plans.cli.agentm(['worker', '--once'])).out).toContain('Stopped. Steps: 1 done.')
  expect((await plans.state(planId)).status).toBe('done')
})

it('gives running steps their grace to end', patience, async () => {
  const plans = await world()
  const planId = await plans.plan(`goal: g\nsteps:\n${marking('long', { until: 'go' })}`)
  const worker = plans.cli.start(['run', planId, '--grace', '60'])
  await plans.untilTold('long 0')
  const ended = worker.kill('SIGINT')
  await worker.said('Stopping: unfinished steps are handed back')
  await letGo(plans)
  expect(await ended).toBe(0)
  expect(plans.told()).toEqual(['long 0'])
  expect(worker.out).toContain('done  1 of 1 done')
})

it('pauses in another process: nothing more is claimed until it is resumed', patience, async () => {
  const plans = await world()
  const planId = await plans.plan(
    `goal: g\nsteps:\n${marking('a', { until: 'go' })}${marking('b', { dependsOn: ['a'] })}`,
  )
  const run = plans.cli.start(['run', planId])
  await plans.untilTold('a 0')
  await plans.cli.agentm(['pause', planId])
  await letGo(plans)
  // A run has nothing to stay for while the plan waits for a person.
  expect(await run.ended()).toBe(1)
  expect(run.out).toContain(`agentm resume ${planId.slice('v1:harness:plan:'.length).slice(0, 8)}`)
  expect(plans.told()).toEqual(['a 0'])
  await plans.cli.agentm(['resume', planId])
  expect((await plans.cli.agentm(['run', planId])).code).toBe(0)
  expect(plans.told()).toEqual(['a 0', 'b 0'])
})
