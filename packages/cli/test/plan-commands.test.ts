import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStaticEmbedder } from '@agentm/embedder-static'
import { openSqliteReader } from '@agentm/nodes-sqlite'
import { filePath } from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { marking, PlanWorld } from './plan-world.ts'

/** Every look takes a process, and a busy machine takes its time to start one. */
const patience = { timeout: 180_000 }

const failing =
  'goal: g\nsteps:\n  - { key: bad, kind: command, input: { command: sh, args: [-c, "test -e mended"] } }\n'

it('refuses a file that cannot become a plan, and writes nothing', patience, async () => {
  const { cli } = await PlanWorld.make()
  await cli.file('repo/plan.yaml', 'goal: g\nsteps:\n  - { key: a, dependsOn: b }\n')
  const { code, err } = await cli.agentm(['plan', 'new', '--steps', 'plan.yaml'])
  expect(code).toBe(1)
  expect(err).toContain('plan.yaml:3:26 step "a": depends on "b", but this plan has no such step.')
  expect(await cli.json(['status', '--all'])).toEqual({ plans: [] })
})

it('needs a goal, from the file or the command line', patience, async () => {
  const { cli } = await PlanWorld.make()
  const steps = 'steps: [{ key: a, kind: approval }]'
  expect((await cli.agentm(['plan', 'new', '--steps', '-'], steps)).code).toBe(2)
  expect((await cli.agentm(['plan', 'new', '--steps', '-', '--title', 'g'], steps)).code).toBe(0)
})

it('writes the same file under the same id once', patience, async () => {
  const { cli } = await PlanWorld.make()
  const make = (steps: string) => cli.agentm(['plan', 'new', '--steps', '-', '--id', 'nightly', '--json'], steps)
  const steps = 'goal: g\nsteps: [{ key: a, kind: approval }]'
  expect(JSON.parse((await make(steps)).out)).toMatchObject({ created: true })
  expect(JSON.parse((await make(steps)).out)).toMatchObject({ created: false })
  expect(JSON.parse((await make(steps.replace('key: a', 'key: b'))).out)).toMatchObject({
    error: { code: 'IDEMPOTENCY_CONFLICT' },
  })
})

it('starts nothing of a kind that the config does not allow, and says how to allow it', patience, async () => {
  const plans = await PlanWorld.make({ kinds: 'approval' })
  const made = await plans.cli.agentm(['plan', 'new', '--steps', '-'], `goal: g\nsteps:\n${marking('a')}`)
  expect(made.err).toContain(
    'steps of kind command are not allowed on this machine and wait for a worker that allows them',
  )
  const { plans: all } = (await plans.cli.json(['status'])) as { plans: readonly { planId: string }[] }
  const planId = all[0]?.planId ?? ''
  const { code, err } = await plans.cli.agentm(['run', planId])
  expect([code, err]).toEqual([1, expect.stringContaining('agentm config set harness.kinds approval,command')])
  expect((await plans.state(planId)).steps).toEqual({ ready: 1 })
})

it('plans nothing of a file whose inputs their kinds would not take, and names each', patience, async () => {
  const plans = await PlanWorld.make()
  const file = `goal: g\nsteps:\n${marking('a')}  - { key: b, kind: command, input: { comand: ls } }\n  - { key: c, kind: http }\n`
  const { code, err } = await plans.cli.agentm(['plan', 'new', '--steps', '-'], file)
  expect(code).toBe(1)
  expect(err).toContain('step "b": input.command: it is required.')
  expect(err).toContain('step "b": input.comand: there is no such field.')
  expect(err).toContain('standard input:8:5 step "c": input.url: it is required. An example for kind http: { url:')
  expect(await plans.cli.json(['status', '--all'])).toEqual({ plans: [] })
})

it('plans and runs in one go, tells what happens, and where a plan waits says for what', patience, async () => {
  const plans = await PlanWorld.make()
  await plans.cli.file(
    'repo/plan.yaml',
    `goal: g\nsteps:\n${marking('a')}  - { key: ok, kind: approval, dependsOn: a, title: 'Ship it?' }\n`,
  )
  const { code, out, err } = await plans.cli.agentm(['plan', 'new', '--steps', 'plan.yaml', '--run'])
  expect(code).toBe(1)
  expect(err).toMatch(/running {2}a\n(.*\n)*done {5}a\n(.*\n)*asks {5}Ship it\?: Ship it\?\n {9}agentm approve /)
  expect(out).toMatch(
    /running {2}1 of 2 done.*\n {2}blocked {3}Ship it\?: waits for an answer: Ship it\? \(approve \| deny\)/,
  )
  const command = /agentm (approve \w+)/.exec(out)?.[1]?.split(' ') ?? []
  expect((await plans.cli.agentm(['doctor'])).out).toContain(`plans [WARN]`)
  expect((await plans.cli.agentm(['doctor'])).out).toContain(`. To continue it: agentm ${command.join(' ')}`)
  expect((await plans.cli.agentm([...command, '--answer', 'maybe'])).err).toContain('say one of approve, deny')
  expect((await plans.cli.agentm([...command, '--reason', 'looks good'])).code).toBe(0)
  const step = await plans.cli.agentm(['status', command[1] ?? ''])
  expect([step.code, step.out]).toEqual([
    0,
    expect.stringMatching(
      /^\w+ {2}ready {2}Ship it\? {2}of \w+\n {2}kind {5}approval\n.* {2}answer {3}approve by .+: looks good\n/s,
    ),
  ])
})

it('keeps a line up to date at a terminal', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan(`goal: g\nsteps:\n${marking('a')}`)
  const screen = await plans.cli.atTerminal(['run', planId], '')
  expect(screen).toContain('\r\u001B[2K0/1 done')
})

it(
  'retries a failed plan as a new plan of its unfinished steps, with the same idempotency keys',
  patience,
  async () => {
    const plans = await PlanWorld.make()
    const key = `  - { key: tell, kind: command, dependsOn: bad, input: { command: sh, args: [-c, 'echo $AGENTM_IDEMPOTENCY_KEY >> told'] } }\n`
    const planId = await plans.plan(`${failing.replace('steps:\n', `steps:\n${marking('first')}`)}${key}`)
    const ran = await plans.cli.agentm(['run', planId])
    expect(ran.code).toBe(1)
    expect(ran.out).toMatch(/failed {4}bad: sh ended with 1\n {12}agentm retry \w{8}/)
    const short = /agentm retry (\w+)/.exec(ran.out)?.[1] ?? ''

    await plans.cli.file('repo/mended', '')
    const rest = (await plans.cli.json(['retry', short])) as { planId: string; continues: string; created: boolean }
    expect(rest).toMatchObject({ continues: planId, created: true })
    expect(await plans.cli.json(['retry', short])).toMatchObject({ planId: rest.planId, created: false })
    expect((await plans.cli.agentm(['run', rest.planId])).code).toBe(0)
    const [first, told, ...others] = plans.told()
    expect([first, others]).toEqual(['first 0', []])
    expect(planKeys(await plans.cli.json(['trace', planId, '--fixture', 'f']))).toBe(2)
    expect(told).toMatch(/^[0-9a-f]{32}$/)
    expect((await plans.cli.agentm(['retry', rest.planId])).err).toContain('is done: it has no unfinished steps')
  },
)

function planKeys(fixture: Readonly<Record<string, unknown>>): number {
  return (fixture['expect'] as { dispatches: number }).dispatches
}

it('lists dead letters, and sends all of them again once', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan(failing)
  expect((await plans.cli.agentm(['retry'])).out).toContain('There are no dead letters')
  await plans.cli.agentm(['run', planId])
  expect((await plans.cli.agentm(['retry'])).out).toMatch(
    /^\w{8} {2}failed {2}bad: sh ended with 1\n {10}agentm retry \w{8}\n$/,
  )
  expect((await plans.cli.agentm(['retry', planId, '--all'])).code).toBe(2)
  await plans.cli.file('repo/mended', '')
  const [sent, ...others] = (await plans.cli.json(['retry', '--all']))['sent'] as readonly { readonly planId: string }[]
  expect([sent, others]).toEqual([expect.objectContaining({ created: true }), []])
  expect(await plans.cli.json(['retry', '--all'])).toEqual({ sent: [] })
  expect(await plans.cli.json(['retry'])).toEqual({ deadLetters: [] })
  expect((await plans.cli.agentm(['run', sent?.planId ?? ''])).code).toBe(0)
})

it('tries one failed step again while the rest goes on, and skips another', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan(
    `${failing}${marking('after', { dependsOn: ['bad'] })}  - { key: ok, kind: approval }\n`,
  )
  expect((await plans.cli.agentm(['worker', '--once'])).code).toBe(0)
  expect((await plans.cli.agentm(['doctor'])).out).toMatch(
    /bad failed: sh ended with 1\. To retry it: agentm retry \w{8}/,
  )
  await plans.cli.file('repo/mended', '')
  expect((await plans.cli.agentm(['retry', `${planId}/bad`])).code).toBe(0)
  expect((await plans.cli.agentm(['skip', `${planId}/ok`, '--reason', 'not today'])).code).toBe(0)
  expect((await plans.cli.agentm(['run', planId])).code).toBe(0)
  expect(plans.told()).toEqual(['after 0'])
})

it('answers for somebody else’s plan as for one that is not there', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan('goal: secret\nsteps: [{ key: a, kind: approval }]')
  await plans.cli.agentm(['worker', '--once'])
  expect(await plans.cli.json(['trace', planId])).toMatchObject({ complete: false, stepCount: 1 })
  await plans.cli.agentm(['config', 'set', 'owner', 'mallory'])
  const absent = 'v1:harness:plan:00000000-0000-4000-8000-000000000000'
  const told = async (args: readonly string[], id: string) => {
    const { code, out, err } = await plans.cli.agentm([...args, '--json'])
    return { code, err, out: out.replaceAll(id, 'ID') }
  }
  expect(await told(['trace', planId], planId)).toMatchObject({
    code: 1,
    out: expect.stringContaining('"stepCount": 0'),
  })
  for (const command of ['trace', 'replay', 'status', 'cancel', 'pause', 'resume', 'retry', 'approve', 'skip', 'run'])
    expect([command, await told([command, planId], planId)]).toEqual([command, await told([command, absent], absent)])
  expect((await told(['approve', `${planId}/a`], planId)).code).toBe(1)
})

it('shows a trace as text and as data, and makes no log by looking', patience, async () => {
  const plans = await PlanWorld.make()
  expect((await plans.cli.agentm(['status'])).out).toContain('There are no plans yet')
  expect(await plans.cli.json(['trace', 'nowhere'])).toMatchObject({
    planId: 'v1:harness:plan:nowhere',
    timeline: expect.stringContaining('(no events recorded for this plan)'),
    complete: false,
    stepCount: 0,
    steps: [],
    events: [],
  })
  await expect(plans.cli.read('.agentm/log/agentm.db')).rejects.toMatchObject({ code: 'ENOENT' })
})

it(
  'holds recorded plans to what they did: a trace becomes a fixture, and eval has three exit codes',
  patience,
  async () => {
    const plans = await PlanWorld.make()
    const planId = await plans.plan(`goal: g\nsteps:\n${marking('a')}${marking('b', { dependsOn: ['a'] })}`)
    await plans.cli.agentm(['run', planId])
    expect(await plans.cli.json(['replay', planId])).toMatchObject({ matches: true, deterministic: true })
    const { out } = await plans.cli.agentm(['trace', planId, '--fixture', 'two-steps'])
    await plans.cli.file('repo/fixtures/two-steps.json', out)
    expect(await plans.cli.agentm(['eval', 'fixtures'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('pass  two-steps'),
    })
    expect((await plans.cli.agentm(['eval', '--from-trace', planId])).code).toBe(0)
    await plans.cli.file('repo/fixtures/two-steps.json', out.replace('"dispatches": 2', '"dispatches": 9'))
    expect((await plans.cli.agentm(['eval', 'fixtures'])).code).toBe(1)

    for (const suite of ['seed', 'extended']) expect((await plans.cli.agentm(['eval', suite])).code).toBe(0)
    const strict = ['--min-pass-rate', '1', '--min-success-rate', '0.9', '--max-tool-calls', '3', '--max-tokens', '9']
    const { verdict, threshold, report } = (await plans.cli.json(['eval', 'seed', ...strict])) as {
      verdict: { cleared: boolean; violations: readonly string[] }
      threshold: object
      report: object
    }
    expect(verdict).toEqual({
      cleared: false,
      violations: ['success rate 0.5 is below 0.9', 'tool calls 14 is above 3', 'tokens 535 is above 9'],
    })
    expect(threshold).toEqual({ minPassRate: 1, minSuccessRate: 0.9, maxToolCalls: 3, maxTokens: 9 })
    expect(report).toMatchObject({ total: 6, toolCalls: 14, tokens: 535 })
    for (const wrong of [
      ['eval', 'nowhere'],
      ['eval', '--max-tokens', 'x'],
      ['eval', '--min-pass-rate', '2'],
    ])
      expect((await plans.cli.agentm(wrong)).code).toBe(2)
  },
)

it('knows plan files from plans that run', patience, async () => {
  const { cli } = await PlanWorld.make()
  const { out } = await cli.agentm(['--help'])
  expect(out).toMatch(/plans +list the plan files of this project/)
  expect(out).toMatch(/Plans\n {2}plan new +create a plan from a file of steps/)
  expect((await cli.agentm(['project', 'plans', '--help'])).out).toContain('agentm status lists those.')
})

it('makes vectors of plans while a worker runs, and says where it cannot', patience, async () => {
  const plans = await PlanWorld.make()
  await plans.plan('goal: mend the leaking roof\nsteps: [{ key: a, kind: approval }]')
  const log = filePath(path.join(plans.cli.home, '.agentm/log/agentm.db'))
  const { name } = await openStaticEmbedder()
  const pending = async () => {
    const store = await openSqliteReader({ path: log, concepts: [] })
    const found = await store?.recall.pending({ embedder: name, limit: 1 })
    await store?.close()
    return found?.total
  }
  expect(await pending()).toBe(2)
  const worker = plans.cli.start(['worker'])
  while ((await pending()) !== 0) await sleep(50)
  expect(await worker.kill('SIGTERM')).toBe(0)

  await plans.cli.agentm(['config', 'set', 'embedder.provider', 'openai'])
  const without = plans.cli.start(['worker'])
  // Steps are run all the same.
  await without.said('This worker computes no vectors, because of an error: embedder.provider is openai, which needs')
  await without.said('This worker learns no beliefs, because of an error: embedder.provider is openai, which needs')
  expect(await without.kill('SIGTERM')).toBe(0)
})

it.each(['ü', 'release/7', 'a%b'])('finds a plan by the id somebody gave it: %s', patience, async (id) => {
  const { cli } = await PlanWorld.make()
  const steps = 'goal: g\nsteps: [{ key: ship/it, kind: approval }]'
  expect((await cli.agentm(['plan', 'new', '--steps', '-', '--id', id], steps)).out).toContain('1 step. ')
  expect(await cli.json(['status', id])).toMatchObject({ plans: [{ planId: `v1:harness:plan:${id}` }] })
})

it('never advises status --all to whoever typed that and has no plan', patience, async () => {
  const { cli } = await PlanWorld.make()
  await cli.agentm(['save', 'The harbour closes at nine', '--kind', 'fact'])
  expect((await cli.agentm(['status'])).out).toContain('agentm status --all')
  const { out } = await cli.agentm(['status', '--all'])
  expect(out).toBe('There are no plans yet. To create one: agentm plan new --steps FILE\n')
})

it('refuses to restore a log that a worker uses, and says to end the worker', patience, async () => {
  const { cli } = await PlanWorld.make()
  const worker = cli.start(['worker'])
  await worker.said('Worker')
  expect(await cli.agentm(['log', 'backup', 'copy.db'])).toMatchObject({ code: 0 })
  const refused = await cli.agentm(['log', 'restore', 'copy.db'])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('STORE_BUSY') })
  expect(refused.err).toMatch(/another program uses the log .*agentm\.db\. End your workers/)
  expect(await worker.kill('SIGTERM')).toBe(0)
})

it.each(['notes', 'recall'])('%s --help says that other projects are refused', patience, async (command) => {
  const { cli } = await PlanWorld.make()
  const { out } = await cli.agentm([command, '--help'])
  expect(out.replaceAll(/\s+/g, ' ')).toContain('(default: both); other projects are refused')
})
