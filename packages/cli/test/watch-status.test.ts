import { expect, it } from 'vitest'
import { linesThatFit } from '../src/pure/lines-that-fit.ts'
import { terminalScreen } from '../src/terminal-screen.ts'
import { marking, PlanWorld } from './plan-world.ts'

const patience = { timeout: 180_000 }

it('cuts what does not fit on a screen, and counts the lines that are left out', () => {
  const lines = ['first line', 'second', 'third']
  expect(linesThatFit(lines, { rows: 3, columns: 5 })).toEqual(['first', 'secon', 'third'])
  expect(linesThatFit(lines, { rows: 2, columns: 40 })).toEqual(['first line', '… and 2 more lines'])
})

it('takes a screen of its own, obeys no escape of what it shows, and gives the old screen back', () => {
  let written = ''
  const screen = terminalScreen({ rows: 5, columns: 40, write: (text: unknown) => Boolean((written += String(text))) })
  screen.show('plan \u001B]0;title\u0007 running')
  expect(written).not.toContain('\u001B]0;')
  screen.close()
  expect(written.startsWith('\u001B[?1049h')).toBe(true)
  expect(written.endsWith('\u001B[?1049l')).toBe(true)
})

it('prints a plan in a pipe after each change, and ends with the plan', patience, async () => {
  const world = await PlanWorld.make({ kinds: 'command' })
  const planId = await world.plan(`goal: ship\nsteps:\n${marking('a', { until: 'go' })}`)
  const watching = world.cli.agentm(['status', planId, '--watch'])
  const working = world.cli.agentm(['worker', '--once'])
  await world.untilTold('a 0')
  await world.until(planId, ({ status }) => status === 'running')
  await world.cli.file('repo/go', '')
  const { out, code } = await watching
  await working
  expect(code).toBe(0)
  expect(out.trimEnd().split('\n').at(-1)).toMatch(/ {2}done {2}1 of 1 done, .* {2}ship$/)
})
