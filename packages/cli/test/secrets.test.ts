/** A token that a program prints, or that a plan is given, is shown to nobody and reaches no prompt. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PlanWorld } from './plan-world.ts'

const patience = { timeout: 180_000 }
// Made here, piece by piece, so that no scanner takes this file for a leak.
const tokenOf = (letters: string) => ['gh', 'p_', letters.repeat(9)].join('')
const [given, printed, complained] = ['aB3x', 'cD4y', 'eF5z'].map((letters) => tokenOf(letters))
const yaml = `goal: fetch the release notes
steps:
  - { key: fetch, title: fetch release notes, kind: command, input: { command: sh, args: [-c, 'echo "token $(cat token)"', ${given}] } }
  - { key: push, title: push release notes, kind: command, input: { command: sh, args: [-c, 'echo "refused $(cat complaint)" >&2; exit 3'] }, retry: { maxFailures: 1 } }
`

it('a token that a command prints is stored nowhere, and one that a plan is given is not shown', patience, async () => {
  const plans = await PlanWorld.make()
  const { cli } = plans
  await cli.file('repo/token', printed ?? '')
  await cli.file('repo/complaint', complained ?? '')
  const planId = await plans.plan(yaml)
  expect((await cli.agentm(['run', planId])).code).toBe(1)

  const directory = path.join(cli.home, '.agentm', 'log')
  const stored = await Promise.all(
    (await readdir(directory, { withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFile(path.join(directory, name), 'latin1')),
  )
  expect(stored.some((text) => text.includes(printed ?? '') || text.includes(complained ?? ''))).toBe(false)
  // The step runs with it.
  expect(stored.some((text) => text.includes(given ?? ''))).toBe(true)

  const looks = [
    ['status', planId, '--json'],
    ['status', `${planId}/fetch`, '--json'],
    ['trace', planId],
    ['trace', planId, '--fixture', 'notes'],
    ['recall', 'release notes refused'],
    ['hook', 'prompt-submit'],
  ]
  expect((await cli.agentm(['status', `${planId}/push`])).out).toContain('refused [redacted: github-token]')
  for (const look of looks) {
    const input = JSON.stringify({ prompt: 'why were the release notes refused?', cwd: cli.repo })
    const { out, err } = await cli.agentm(look, input)
    for (const token of [given, printed, complained])
      expect([look, (out + err).includes(token ?? '')]).toEqual([look, false])
  }
})
