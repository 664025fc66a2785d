/** Commands in hints, as the person who reads them can type them. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { typed } from '../src/typed.ts'
import { CliWorld } from './cli-world.ts'

async function directoryWith(...names: readonly string[]): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-typed-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const name of names) {
    await writeFile(path.join(directory, name), '')
    await chmod(path.join(directory, name), 0o755)
  }
  return directory
}

const on = (PATH: string, platform: NodeJS.Platform = 'linux') => ({ env: { PATH }, platform })
const hint = 'To list them: agentm conflicts'

it('names the installed command where there is one', async () => {
  expect(typed(hint, on(await directoryWith('agentm')))).toBe(hint)
  expect(typed(hint, on(await directoryWith('agentm.cmd'), 'win32'))).toBe(hint)
})

it('names npx where there is none', async () => {
  expect(typed(hint, on(await directoryWith()))).toBe('To list them: npx @agentm/cli conflicts')
  expect(typed(hint, on(''))).toBe('To list them: npx @agentm/cli conflicts')
})

it('does not count the directory that npx or an npm script puts on the PATH, because it is gone afterwards', async () => {
  const directory = await directoryWith('agentm')
  const bin = `${directory}/node_modules/.bin`
  expect(typed(hint, on(`${bin}:/nowhere`))).toContain('npx @agentm/cli')
  expect(typed(hint, on(`${bin}:${directory}`))).toBe(hint)
})

it('changes commands only: no name of a package, no path and no sentence about agentm', () => {
  const others =
    'agentm needs Node. @agentm/cli, /opt/agentm run, agentm: wrong, the store of agentm, agentm-gates save'
  expect(typed(others, on(''))).toBe(others)
  expect(typed('agentm run X && agentm --help, agentm log check', on(''))).toBe(
    'npx @agentm/cli run X && npx @agentm/cli --help, npx @agentm/cli log check',
  )
})

it('prints in help, errors, notices and answers what somebody who has only npx can type', async () => {
  const world = await CliWorld.forThisTest()
  world.variables['PATH'] = world.pathWithoutAgentm
  expect((await world.agentm(['--help'])).out).toContain('Usage: npx @agentm/cli COMMAND')
  expect((await world.agentm(['inbox', 'accept', '--help'])).out).toContain(
    'Usage: npx @agentm/cli inbox accept NAME...',
  )
  expect((await world.agentm(['run'])).err).toBe(
    'agentm: npx @agentm/cli run needs PLAN. [USAGE]\n  try: npx @agentm/cli run --help\n',
  )
  expect((await world.agentm(['init', '--yes'])).out).toContain('npx @agentm/cli init --host HOST')
  expect((await world.agentm(['status'])).out).toBe(
    'There are no plans yet. To create one: npx @agentm/cli plan new --steps FILE\n',
  )
  await world.agentm(['save', 'Type agentm run by hand.'])
  expect((await world.agentm(['recall', 'by hand'])).out).toContain('Type agentm run by hand.')
})
