/** A goal whose process is killed again and again, whenever. Without kills: do.deep.test.ts. */
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { CliWorld } from './cli-world.ts'

const goal = 'Tell five things, one after the other'
// What was told is looked up in the folder itself.
const inFolder = ['--trees', 'none']
const keys = ['one', 'two', 'three', 'four', 'five']
const decomposition = {
  steps: keys.map((key, i) => ({
    key,
    title: `Tell ${key}`,
    goal: `Tell it: ${key}.`,
    dependsOn: keys.slice(i - 1, i),
    roleHint: 'builder',
  })),
}

interface Told {
  readonly planId: string
  readonly status: string
  readonly timeline: string
  readonly waiting: readonly { readonly stepId: string; readonly title: string; readonly ask?: object }[]
}

it.skipIf(!existsSync('/proc/self/cwd')).each([1, 2, 3])(
  'reaches its goal, tells everything once, and keeps every decision (seed %d)',
  async (seed) => {
    const cli = await CliWorld.make()
    onTestFinished(() => cli.remove())
    const server = await startScriptedServer((body) => {
      const text = JSON.stringify(body.messages)
      if (text.includes('You plan.')) return { text: JSON.stringify(decomposition) }
      const key = keys.find((each) => text.includes(`Tell it: ${each}.`)) ?? ''
      if (body.messages.at(-1)?.role === 'tool') return { calls: [['respondToUser', { text: `Told ${key}.` }]] }
      return { calls: [['shell', { program: 'sh', args: ['-c', `echo ${key} >> told`] }]] }
    })
    onTestFinished(() => server.close())
    await cli.file(
      '.claude/.agentm-config.json',
      JSON.stringify({ 'tools.shell.allow': ['sh'], 'models.url': server.url, 'models.model': 'scripted' }),
    )
    const told = () => {
      const file = path.join(cli.repo, 'told')
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
    }
    for (let kill = 0; kill < 8; kill++) {
      const doomed = cli.start(['do', goal, ...inFolder])
      // From before it is planned to after it is done.
      await Promise.race([sleep(200 + ((seed * 7919 + kill * 104_729) % 1800)), doomed.ended()])
      await doomed.kill('SIGKILL')
      // A program it had started goes on without it.
      while (isBusy(cli.repo)) await sleep(20)
      await settle(cli, told())
    }
    let end = (await cli.json(['do', goal, ...inFolder])) as unknown as Told
    for (; end.status === 'waiting'; end = (await cli.json(['do', goal, ...inFolder])) as unknown as Told)
      await settle(cli, told())
    expect(end.status).toBe('done')
    const { timeline } = (await cli.json(['trace', end.planId])) as unknown as Told
    const decisions = timeline.split('\n').filter((line) => line.includes('decision by planner'))
    expect(decisions).toHaveLength(1 + keys.length)
    const plans = await plansIn<unknown>(cli, '--all')
    // A run that was let go to its end began the goal anew; each run of the goal tells everything once.
    expect(told()).toEqual(plans.flatMap(() => keys))
  },
)

/** Says of effects in doubt what is true: this run of the goal told it where it was told as often as the goal was planned. */
async function settle(cli: CliWorld, told: readonly string[]): Promise<void> {
  const plans = await plansIn<Told>(cli)
  const all = await plansIn<unknown>(cli, '--all')
  for (const { waiting } of plans)
    for (const { stepId, title, ask } of waiting)
      if (ask !== undefined) {
        const times = told.filter((key) => title === `Tell ${key}`).length
        await cli.agentm(['approve', stepId, '--answer', times === all.length ? 'happened' : 'did_not_happen'])
      }
}

async function plansIn<T>(cli: CliWorld, ...args: readonly string[]): Promise<readonly T[]> {
  const answer = await cli.json(['status', ...args])
  if (!Array.isArray(answer['plans'])) throw new Error(JSON.stringify(answer))
  return answer['plans'] as readonly T[]
}

/** Whether any process works in this directory. */
function isBusy(directory: string): boolean {
  const real = realpathSync(directory)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === real
      } catch {
        // It ended meanwhile, or is none of ours.
        return false
      }
    })
}
