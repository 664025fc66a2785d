/** A goal with a check, with the real command and a model that says what its script says. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { CliWorld } from './cli-world.ts'

type Script = Extract<Parameters<typeof startScriptedServer>[0], (...given: never) => unknown>
type Line = ReturnType<Script>

const patience = { timeout: 120_000 }
const goal = 'Fix the answer'
const check = `${process.execPath} check.cjs`
const says = (text: string): Line => ({ calls: [['respondToUser', { text }]] })
const reads = (name: string): Line => ({ calls: [['files_read', { path: name }]] })
const writes = (name: string, text: string): Line => ({ calls: [['files_write', { path: name, text }]] })

async function world(script: Script, config: Readonly<Record<string, unknown>> = { 'tools.files': 'write' }) {
  const cli = await CliWorld.make()
  onTestFinished(() => cli.remove())
  const server = await startScriptedServer(script)
  onTestFinished(() => server.close())
  const whole = { owner: 'ada', 'models.url': server.url, 'models.model': 'scripted', ...config }
  await cli.file('.claude/.agentm-config.json', JSON.stringify(whole))
  await cli.file('repo/answer', '5')
  await cli.file('repo/sum.test.js', 'test(4)')
  await cli.file('repo/package.json', JSON.stringify({ scripts: { test: `node check.cjs` } }))
  const program = `const answer = require('node:fs').readFileSync('answer', 'utf8'); if (answer !== '4') { console.log('answer is ' + answer); process.exit(1) }`
  await cli.file('repo/check.cjs', program)
  return { cli, server }
}

/** Round by round: a file is read and written, then an answer. */
function inRounds(...rounds: readonly (readonly [name: string, text: string])[]): Script {
  return ({ messages }) => {
    const failed = messages.filter(({ role, content }) => role === 'user' && content?.includes('did not pass')).length
    const change = rounds[failed]
    if (change === undefined) return says('Nothing left.')
    const [name, text] = change
    const made = messages.length - 1 - messages.findLastIndex(({ role }) => role === 'user')
    return [reads(name), writes(name, text)][made / 2] ?? says(`Done ${failed + 1}.`)
  }
}

it('is reached when its check passes, which is remembered for the repository', patience, async () => {
  const { cli, server } = await world(inRounds(['answer', '6'], ['answer', '4']))
  const first = await cli.agentm(['do', goal, '--check', check])
  expect(first.code).toBe(0)
  expect(first.out).toContain('Done 2.')
  expect(first.err).toContain(`The goal is reached when this passes: ${check}`)
  expect(first.err).toContain('2 files must stay as they are')
  expect(JSON.stringify(server.requests)).toContain('answer is 6')
  expect(await cli.json(['do', 'Fix the sum'])).toMatchObject({ status: 'done', check: [check] })
  expect(await cli.json(['do', 'Fix the product', '--no-check'])).toMatchObject({
    status: 'done',
    check: [],
  })
  expect((await cli.agentm(['do', 'Fix the rest'])).err).toContain('No check is in force')
  // Nothing reaches the folder before agentm apply.
  expect(await cli.read('repo/answer')).toBe('5')
})

it('is not reached by a change of the test', patience, async () => {
  const weakens = inRounds(['sum.test.js', ''], ['sum.test.js', 'test(0)'], ['package.json', '{}'])
  const { cli } = await world(weakens)
  const { status, timeline, errorMessage } = await cli.json(['do', goal, '--check', 'true', '--replans', '0'])
  expect(status).toBe('failed')
  expect(`${String(timeline)}${String(errorMessage)}`).toContain('check did not pass (round 3 of 3)')
})

it('asks once at a terminal, and runs only what was confirmed', patience, async () => {
  const { cli } = await world(inRounds(['answer', '4']))
  const screen = await cli.atTerminal(['do', goal], 'number')
  expect(screen).toContain('npm run test')
  expect(screen).toContain('The goal is reached when this passes: npm run test')
  const declined = await world(inRounds(['answer', '4']))
  expect(await declined.cli.atTerminal(['do', goal], 'no')).toContain('No check is in force')
  expect(await declined.cli.atTerminal(['do', 'Fix the sum'], 'no')).not.toContain('type ')
})

it('does not start agents that could change nothing, and names the settings', patience, async () => {
  const { cli } = await world(inRounds(['answer', '4']), {})
  const refused = await cli.agentm(['do', goal])
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(/the builder of "Fix the answer".*files_write.*agentm config set tools\.files write/su)
  expect(await cli.json(['status'])).toMatchObject({ plans: [] })
  const anyway = await cli.json(['do', goal, '--anyway', '--replans', '0', '--trees', 'none'])
  expect(anyway).toMatchObject({ status: 'failed' })
  expect(JSON.stringify(anyway)).toContain('its calls of files_write were refused')
  // Once the tool is allowed, the agent of the earlier plan gets it.
  await cli.agentm(['config', 'set', 'tools.files', 'write'])
  expect(await cli.json(['do', goal, '--trees', 'none'])).toMatchObject({ status: 'done' })
  expect(await cli.read('repo/answer')).toBe('4')
})

it('does not run a check of a plan file before somebody allows it', patience, async () => {
  const { cli } = await world(inRounds(['answer', '4']))
  const plan = [
    'goal: the answer is four',
    'check: { commands: [touch ran] }',
    'steps:',
    '  - { key: a, input: { goal: Fix it }, check: { commands: [{ command: touch, args: [ran] }], rounds: 1 } }',
  ]
  await cli.file('repo/plan.yaml', plan.join('\n'))
  const { planId } = await cli.json(['plan', 'new', '--steps', 'plan.yaml'])
  const refused = await cli.agentm(['run', String(planId)])
  expect(refused.err).toMatch(
    /checks of the plan run touch ran.*agentm config set harness\.kinds agent,approval,command/su,
  )
  expect(existsSync(path.join(cli.repo, 'ran'))).toBe(false)
  await cli.agentm(['config', 'set', 'harness.kinds', 'agent,approval,command'])
  expect((await cli.agentm(['run', String(planId)])).code).toBe(0)
  expect(existsSync(path.join(cli.repo, 'ran'))).toBe(true)
})
