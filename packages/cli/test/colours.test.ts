import { expect, it } from 'vitest'
import { colours, isPainted } from '../src/colours.ts'
import { CliWorld } from './cli-world.ts'

it.each<readonly [what: string, isTTY: boolean, env: Record<string, string>, expected: boolean]>([
  ['paints a terminal', true, {}, true],
  ['leaves a file and a pipe plain', false, {}, false],
  ['leaves a terminal plain that asked for no colour', true, { NO_COLOR: '1' }, false],
  ['takes an empty NO_COLOR as not set', true, { NO_COLOR: '' }, true],
  ['leaves a dumb terminal plain', true, { TERM: 'dumb' }, false],
  ['paints a pipe when it is forced to', false, { FORCE_COLOR: '1' }, true],
  ['takes FORCE_COLOR=0 as no colour', true, { FORCE_COLOR: '0' }, false],
  ['lets FORCE_COLOR win over NO_COLOR, as Node does', false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
])('%s', (_, isTTY, env, expected) => {
  expect(isPainted({ isTTY }, env)).toBe(expected)
  expect(colours({ isTTY }, env).red('x')).toBe(expected ? '\u001B[31mx\u001B[0m' : 'x')
})

it('paints no error in a file, also while the answer goes to a terminal', async () => {
  const world = await CliWorld.forThisTest()
  expect(await world.atTerminal(['trouble'], '')).toContain('\u001B[31magentm:\u001B[0m')
  expect((await world.agentm(['trouble'])).err).toMatch(/^agentm: "trouble" is not a command/)
  world.variables['NO_COLOR'] = '1'
  expect(await world.atTerminal(['trouble'], '')).toContain('agentm: "trouble" is not a command')
  world.variables['FORCE_COLOR'] = '1'
  expect((await world.agentm(['trouble'])).err).toContain('\u001B[31magentm:\u001B[0m "trouble"')
})
