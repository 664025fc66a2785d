/** A picture is read, and the process is killed before the model has said anything of it. Another process goes on. */
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { samplePng } from '../../../tools/sample-media.mjs'
import { CliWorld } from './cli-world.ts'

const price = { input: 3, output: 15, cacheWrite: 4 }

async function world(maxCost: number) {
  const cli = await CliWorld.forThisTest()
  const held = { holds: true }
  const server = await startScriptedServer(({ messages }) => {
    if (!messages.some(({ role }) => role === 'tool')) return { calls: [['files_read', { path: 'shot.png' }]] }
    return held.holds ? { hang: true } : { text: 'The button is red.' }
  })
  onTestFinished(() => server.close())
  await cli.file(
    '.claude/.agentm-config.json',
    JSON.stringify({
      owner: 'ada',
      'models.url': server.url,
      'models.model': 'scripted',
      'models.inputs': ['image'],
      'models.prices': price,
    }),
  )
  const png = samplePng([1, 2, 3], 64)
  await writeFile(path.join(cli.repo, 'shot.png'), png)
  await cli.file('repo/plan.yaml', `goal: g\nbudget: { maxCost: ${maxCost} }\nsteps: [{ key: a, title: Look }]\n`)
  const { planId } = await cli.json(['plan', 'new', '--steps', 'plan.yaml'])
  const doomed = cli.start(['run', String(planId)])
  while (server.requests.length < 2) await sleep(10)
  await doomed.kill('SIGKILL')
  held.holds = false
  return { cli, server, planId: String(planId), png }
}

/** Of the lost reply: 5000 tokens of the picture, 4096 that it may have said, and the words. */
const leastLost = 5000 * 4 + 4096 * 15

it('shows the model the same picture in the same bytes, although the file is gone, and pays for no reply twice', async () => {
  const { cli, server, planId, png } = await world(1)
  await rm(path.join(cli.repo, 'shot.png'))
  expect((await cli.agentm(['run', planId])).code).toBe(0)
  expect(server.requests).toHaveLength(3)
  const [, lost, again] = server.requests
  expect(JSON.stringify(lost?.body)).toContain(png.toString('base64'))
  expect(JSON.stringify(again?.body)).toBe(JSON.stringify(lost?.body))
  const { plans } = (await cli.json(['status', planId])) as { plans: readonly [{ lost?: { costMicros: number } }] }
  const most = plans[0].lost?.costMicros ?? 0
  expect(most).toBeGreaterThanOrEqual(leastLost)
  expect(most).toBeLessThan(leastLost + 40_000)
  expect((await cli.agentm(['status', planId])).out).toContain('may have been charged for replies that did not arrive')
}, 120_000)

it('asks no more of the model if the lost reply and another one might cost more than the limit', async () => {
  const { cli, server, planId } = await world((leastLost * 1.8) / 1e6)
  const run = await cli.agentm(['run', planId])
  expect({ code: run.code, out: run.out }).toEqual({ code: 1, out: expect.stringContaining('max_cost') })
  expect(server.requests).toHaveLength(2)
}, 120_000)
