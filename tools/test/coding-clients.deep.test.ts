import { beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { seededRandom } from '@agentm/conformance/logs'
import { installClients } from '../clients/clients.mjs'
import { unexplained } from '../eval/coding/measured.mjs'
import { tasks } from '../eval/coding/repositories.mjs'
import { runTask } from '../eval/coding/run-task.mjs'
import { runCrew } from '../eval/crew/run-crew.mjs'

let place: Awaited<ReturnType<typeof installClients>> = { why: 'the clients were not installed' }

beforeAll(async () => {
  place = await installClients()
}, 600_000)

/** Skipped, with the reason, where npm cannot be reached. */
function installed({ skip }: TestContext): string {
  return 'why' in place ? skip(place.why) : place.directory
}

function taskOf(name: string) {
  const task = tasks.find((each) => each.name === name)
  if (task === undefined) throw new TypeError(`there is no ${name}`)
  return task
}

describe.each(['claude-code', 'codex'] as const)('%s, as npm has it', (client) => {
  it('claims a success without the gate and none with it, when its model weakens the test', async (context) => {
    const about = { client, installed: installed(context), kills: 0, random: () => 0 }
    const without = await runTask(taskOf('slug'), { ...about, hasGate: false })
    expect(without).toMatchObject({ status: 'done', isFixed: false })
    const gated = await runTask(taskOf('slug'), { ...about, hasGate: true })
    expect(gated).toMatchObject({ status: 'failed', code: 'CHECK_FAILED', rounds: 3, leftovers: [] })
    expect([...unexplained(without), ...unexplained(gated)]).toEqual([])
  })

  it('is right after the check has failed, in spite of kills and a usage limit', async (context) => {
    const seed = Date.now()
    const about = { client, installed: installed(context), kills: 2, random: seededRandom(seed), limitAfter: 1 }
    const gated = await runTask(taskOf('gcd'), { ...about, hasGate: true })
    expect(gated, `seed ${seed}`).toMatchObject({ status: 'done', isFixed: true, leftovers: [] })
    // A client that is killed while it mends its work may leave the work as it was, and the check fails once more.
    expect([2, 3], `seed ${seed}`).toContain(gated.rounds)
    expect(unexplained(gated), `seed ${seed}`).toEqual([])
  })
})

const whole = {
  status: 'done',
  lost: 0,
  isInOrder: true,
  wasUntouched: true,
  treesLeft: 0,
  processesLeft: 0,
}

it('lets eight agents edit one repository at once, and loses no edit', async () => {
  expect(await runCrew({ crew: 'loop', atOnce: 8, seconds: 0.1 })).toMatchObject(whole)
})

it('lets four of Claude Code and four of Codex edit one repository at once, and loses no edit', async (context) => {
  const how = { crew: 'clients', atOnce: 8, seconds: 0.5, installed: installed(context) } as const
  expect(await runCrew(how)).toMatchObject(whole)
})

it('loses no edit of theirs either when workers are killed at random points', async (context) => {
  const seed = Date.now()
  const how = { crew: 'clients', atOnce: 8, seconds: 0.5, kills: 2, random: seededRandom(seed) } as const
  const outcome = await runCrew({ ...how, installed: installed(context) })
  expect(outcome, `seed ${seed}: ${outcome.failure ?? 'no failure'}`).toMatchObject(whole)
})
