/** A log that a package opens, as a person meets it: installed into the prefix of their home, named by one line of config. */
import { access } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'
import { installPlugin, shownPlugin } from './install-plugin.ts'

async function setup() {
  const world = await CliWorld.forThisTest()
  await world.file(
    'repo/plan.yaml',
    'goal: see that it runs\nsteps:\n  - { key: a, kind: command, input: { command: "true" } }\n',
  )
  await world.agentm(['config', 'set', 'harness.kinds', 'command'])
  const file = path.join(world.home, 'shelf', 'team.db')
  await world.agentm(['config', 'set', 'nodes.url', `shelf://${file}`])
  return { world, file }
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

it('plans run in a log that a package opens, once one line of config names it, and looking makes no log', async () => {
  const { world, file } = await setup()
  await installPlugin(world.home, 'agentm-shelf', {
    source: await shownPlugin('packages/nodes/README.md', 'LogPlugin'),
    agentm: { log: './index.js', protocols: ['shelf'] },
  })
  expect((await world.agentm(['status'])).out).toContain('There are no plans yet.')
  expect(await isThere(file)).toBe(false)
  const ran = await world.json(['plan', 'new', '--steps', 'plan.yaml', '--run'])
  expect(ran).toMatchObject({ status: 'done' })
  expect(await isThere(file)).toBe(true)
  expect(await isThere(path.join(world.home, '.agentm/log/agentm.db'))).toBe(false)
  const looked = await world.json(['status', '--all'])
  expect(looked).toMatchObject({ plans: [{ planId: ran['planId'], status: 'done' }] })
  const doctor = await world.agentm(['doctor'])
  expect(doctor.out).toContain(`log [OK] shelf://${file}`)
  expect((await world.agentm(['log', 'check'])).out).toContain(`shelf://${file} is undamaged`)
})

it('a log that no package opens is refused with the logs there are and what to install; notes are found all the same', async () => {
  const { world, file } = await setup()
  await world.agentm(['config', 'unset', 'nodes.url'])
  await world.agentm(['save', 'The harbour closes at nine.', '--kind', 'fact'])
  world.variables['AGENTM_NODES_URL'] = `shelf://ada:secret@${file}?token=secret`
  for (const args of [['status'], ['plan', 'new', '--steps', 'plan.yaml'], ['save', 'The lamp is red.']]) {
    const { code, err } = await world.agentm(args)
    expect([code, err]).toEqual([1, expect.stringContaining('no installed plugin opens shelf://')])
    expect(err).toContain('There are: a file, postgres://, postgresql://')
    expect(err).toContain('npm install --prefix ~/.claude NAME')
    expect(err).toContain('[LOG_PLUGIN]')
    expect(err).not.toContain('secret')
  }
  const doctor = await world.agentm(['doctor'])
  expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining('log [FAIL] the log is configured to be at')])
  const prompt = JSON.stringify({ cwd: world.repo, prompt: 'when does the harbour close?' })
  const hook = await world.agentm(['hook', 'prompt-submit', '--within', '60000'], prompt)
  expect([hook.code, hook.err]).toEqual([0, ''])
})
