import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { CliWorld } from './cli-world.ts'

async function setup(): Promise<CliWorld> {
  const world = await CliWorld.make()
  onTestFinished(() => world.remove())
  return world
}

it.each([
  ['storage.backnd', 'vault', 2, 'there is no setting "storage.backnd". Did you mean storage.backend?'],
  ['frobnicate', '1', 2, 'there is no setting "frobnicate". agentm config keys lists them all.'],
  ['consolidation.decayDays', 'soon', 1, '"soon" is not a number from 0 to 100000'],
  ['harness.kinds', '', 1, 'is not a list of at least one text'],
  ['harness.kinds', '[]', 1, 'To go back to the default: agentm config unset harness.kinds.'],
  ['tools.files', 'all', 1, '"all" is not "off" or "read" or "write"'],
  ['state_mode', 'locl', 1, '"locl" is not "local" or "backend"'],
  ['models.url', '', 1, 'To go back to the default: agentm config unset models.url.'],
])('config set %s %j changes nothing and says why', async (key, value, code, message) => {
  const world = await setup()
  const answer = await world.agentm(['config', 'set', key, value])
  expect(answer).toMatchObject({ code, err: expect.stringContaining(message) })
  expect((await world.agentm(['config', 'list'])).out).toBe('')
})

it('sets what the table knows, what plugins own, and what the file already holds', async () => {
  const world = await setup()
  for (const [key, value] of [
    ['tools.approve', '[]'],
    ['models.contextTokens', '8000'],
    ['plugins.acme.root', '/somewhere'],
  ] as const)
    expect(await world.agentm(['config', 'set', key, value])).toMatchObject({ code: 0 })
  expect(JSON.parse((await world.agentm(['config', 'list', '--json'])).out)).toMatchObject({
    'tools.approve': [],
    'models.contextTokens': 8000,
    'plugins.acme.root': '/somewhere',
  })
})

it('a setting that another program wrote wrongly is refused by name, with the command that cures it', async () => {
  const world = await setup()
  await mkdir(path.join(world.home, '.claude'))
  await writeFile(path.join(world.home, '.claude/.agentm-config.json'), '{"models.prices": {"m": {"input": 3}}}')
  const { code, err } = await world.agentm(['recall', 'anything'])
  expect(code).toBe(1)
  expect(err).toContain('"models.prices" is')
  expect(err).toContain('agentm config unset models.prices')
  expect(await world.agentm(['config', 'unset', 'models.prices'])).toMatchObject({ code: 0 })
  expect(await world.agentm(['recall', 'anything'])).toMatchObject({ code: 0 })
})

it('config keys prints docs/reference/configuration.md, and one setting by its name', async () => {
  const world = await setup()
  const { out } = await world.agentm(['config', 'keys'])
  expect(out).toBe(
    await readFile(path.resolve(import.meta.dirname, '../../../docs/reference/configuration.md'), 'utf8'),
  )
  const one = await world.agentm(['config', 'keys', 'tools.files'])
  expect(one.out).toContain('Form: "off" or "read" or "write". Default: `read`.')
})
