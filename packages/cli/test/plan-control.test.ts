/** Plan files with the words that control a step, run through the command. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { PlanWorld } from './plan-world.ts'

const patience = { timeout: 120_000 }

/** The input of a command that writes the text into `told`, and prints it. */
const say = (text: string) => `{ command: sh, args: [-c, 'echo "$0" >> told; echo "$0"', ${JSON.stringify(text)}] }`

it('repeats a step for each item that an earlier step gave, and hands the outputs on', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan(`goal: g
inputs: { tag: v2 }
steps:
  - key: hosts
    kind: command
    input: { command: echo, args: ['[{"name":"a"},{"name":"b"},{"name":"c"}]'] }
  - key: deploy
    kind: command
    foreach: steps.hosts.output
    atOnce: 1
    when: item.name != "b"
    input: ${say('${{ inputs.tag }} to ${{ item.name }} ${{ index }}')}
  - { key: after, kind: command, input: ${say('${{ steps.deploy.output }}')} }
`)
  const ran = await plans.cli.agentm(['run', planId])
  expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('3 of 3 done')])
  expect(plans.told()).toEqual(['v2 to a 0', 'v2 to c 2', '["v2 to a 0",null,"v2 to c 2"]'])
})

it('goes on after what was skipped, and tries again until a condition holds', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan(`goal: g
inputs: { dry: true }
steps:
  - { key: ship, kind: command, when: not inputs.dry, input: ${say('shipped')} }
  - key: poll
    kind: command
    dependsOn: ship
    until: output.count >= 3
    every: 10 ms
    input: { command: sh, args: [-c, 'echo poll >> told; echo "{\\"count\\": $(wc -l < told)}"'] }
  - key: flaky
    kind: command
    dependsOn: poll
    until: not failed
    every: 10 ms
    input: { command: sh, args: [-c, 'echo flaky >> told; test $(grep -c flaky told) -ge 2'] }
  - { key: pause, sleep: 20 ms, dependsOn: flaky }
  - { key: end, kind: command, dependsOn: pause, when: steps.ship.skipped and steps.ship.output == null, input: ${say('${{ steps.poll.output.count }}')} }
`)
  const ran = await plans.cli.agentm(['run', planId])
  expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('5 of 5 done')])
  expect(plans.told()).toEqual(['poll', 'poll', 'poll', 'flaky', 'flaky', '3'])
})

it('asks for each item at once, and takes the answers in any order', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan(`goal: g
steps:
  - { key: ok, foreach: [a, b], ask: "Deploy \${{ item }}?", options: [yes, no] }
  - { key: end, kind: command, input: ${say('${{ steps.ok.output }}')} }
`)
  expect((await plans.cli.agentm(['run', planId])).out).toMatch(
    /an answer: Deploy a\? \(yes \| no\).*\n.*\n +also asks: Deploy b\? \(yes \| no\)\n.* --question ask-1/,
  )
  const answer = (id: string, text: string) =>
    plans.cli.agentm(['approve', `${planId}/ok`, '--question', id, '--answer', text])
  expect((await answer('ask-1', 'no')).out).toContain('Answered no.')
  expect(await answer('ask-1', 'yes')).toMatchObject({ code: 1, out: expect.stringContaining('already answered no') })
  expect(await answer('ask-9', 'yes')).toMatchObject({ code: 1, err: expect.stringContaining('does not ask "ask-9"') })
  expect((await answer('ask-0', 'yes')).out).toContain('Answered yes.')
  await plans.cli.agentm(['run', planId])
  expect(plans.told()).toEqual(['["yes","no"]'])
})

it('fails with what never became true', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan(`goal: g
steps:
  - { key: poll, kind: command, until: output == "ready", every: 1 ms, atMost: 2, input: ${say('busy')} }
`)
  expect((await plans.cli.agentm(['run', planId])).code).toBe(1)
  expect((await plans.state(planId)).failed[0]?.errorMessage).toContain(
    'poll was tried 2 times (atMost), and this never became true: until: output == "ready"',
  )
  expect(plans.told()).toEqual(['busy', 'busy'])
})

it('runs another plan file with an input of its own, and reads what its steps gave', patience, async () => {
  const plans = await PlanWorld.make()
  await plans.cli.file(
    'repo/parts/deploy.yaml',
    `inputs: { host: nobody, port: 80 }
steps:
  - { key: put, kind: command, input: ${say('put ${{ inputs.host }}:${{ inputs.port }}')} }
  - { key: plain, kind: command, dependsOn: put, input: { command: pwd } }
`,
  )
  const planId = await plans.plan(`goal: g
steps:
  - { key: all, plan: parts/deploy.yaml, foreach: [a, b], atOnce: 1, with: { host: "\${{ item }}" } }
  - { key: end, kind: command, input: ${say('${{ steps.all.output[1].put }} in ${{ steps.all.output[1].plain }}')} }
`)
  const ran = await plans.cli.agentm(['run', planId])
  expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('2 of 2 done')])
  expect(plans.told()).toEqual(['put a:80', 'put b:80', expect.stringMatching(/^put b:80 in .*repo$/)])
})

it('asks a person, goes on by the answer, and fails where a person declines', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan(`goal: g
inputs: { tag: v2 }
steps:
  - { key: go, ask: "Ship \${{ inputs.tag }}?", options: [ship, wait] }
  - { key: ship, kind: command, when: steps.go.output == "ship", input: ${say('shipped')} }
  - { key: sure, kind: approval, dependsOn: ship, when: steps.go.output == "ship", title: "Keep \${{ inputs.tag }}?" }
`)
  expect((await plans.cli.agentm(['run', planId])).out).toContain('Ship v2?')
  expect(await plans.cli.json(['approve', `${planId}/go`, '--answer', 'ship'])).toMatchObject({ accepted: true })
  expect((await plans.cli.agentm(['run', planId])).out).toContain('Keep v2?')
  expect(plans.told()).toEqual(['shipped'])
  await plans.cli.json(['approve', `${planId}/sure`, '--answer', 'deny'])
  expect((await plans.cli.agentm(['run', planId])).code).toBe(1)
  expect((await plans.state(planId)).failed[0]?.errorMessage).toContain('the answer was deny: Keep v2?')
})

it('waits for a signal, which may also come before, and goes on after a time without one', patience, async () => {
  const plans = await PlanWorld.make()
  const planId = await plans.plan(`goal: g
steps:
  - { key: built, signal: build }
  - { key: never, signal: other, timeout: 10 ms }
  - { key: end, kind: command, when: steps.never.output == null, input: ${say('${{ steps.built.output.version }}')} }
`)
  const wrong = await plans.cli.agentm(['signal', planId, 'bild', '1'])
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('They wait for: build, other')])
  await plans.cli.json(['signal', planId, 'build', '{"version":"1.4"}'])
  expect((await plans.cli.agentm(['run', planId])).code).toBe(0)
  expect(plans.told()).toEqual(['1.4'])
})

it('is started by its own schedule, which options replace', patience, async () => {
  const { cli } = await PlanWorld.make()
  await cli.file(
    'repo/daily.yaml',
    `goal: g
schedule: { cron: "30 2 * * *", zone: Asia/Tokyo, from: "2030-01-01" }
steps: [{ key: a, kind: command, foreach: [1], input: ${say('${{ inputs.scheduledFor }}')} }]
`,
  )
  const add = async (...args: readonly string[]) =>
    (await cli.agentm(['schedule', 'add', 'd', 'daily.yaml', ...args])).out
  expect(await add('--dry-run')).toMatch(/2030-01-01 02:30:00 .*\n.*2030-01-02 02:30:00/)
  expect(await add('--dry-run', '--every', '1 hour')).toMatch(/2030-01-01 00:00:00 .*\n.*2030-01-01 01:00:00/)
  expect(await add()).toContain('Added d, "30 2 * * *" in Asia/Tokyo')
  // A plan that is started by hand has no use for the schedule.
  expect((await cli.agentm(['plan', 'new', '--steps', 'daily.yaml'])).code).toBe(0)
})

it('refuses kinds that are not allowed here before anything starts, also inside', patience, async () => {
  const plans = await PlanWorld.make({ kinds: 'approval' })
  const planId = await plans.plan(`goal: g\nsteps: [{ key: a, kind: command, foreach: [1], input: ${say('no')} }]\n`)
  const ran = await plans.cli.agentm(['run', planId])
  expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(/kind command are not run here.*approval,command/s)])
  expect(plans.told()).toEqual([])
})

it('names the place of a mistake, and writes nothing', patience, async () => {
  const plans = await PlanWorld.make()
  await plans.cli.file('repo/sub.yaml', 'steps:\n  - key: x\n    when: item == 1\n')
  await plans.cli.file(
    'repo/bad.yaml',
    'goal: g\nsteps:\n  - { key: a, plan: sub.yaml }\n  - { key: b, plan: gone.yaml }\n',
  )
  const made = await plans.cli.agentm(['plan', 'new', '--steps', 'bad.yaml'])
  expect(made.code).toBe(1)
  expect(made.err).toContain('sub.yaml:3:11 step "x": when: there is no item here. It can read: steps, inputs')
  expect(made.err).toMatch(/bad\.yaml:4:\d+ step "b": plan: gone\.yaml cannot be read \(ENOENT/)
})

it(
  'goes on in the middle of a foreach after its worker was killed, and does no finished item twice',
  patience,
  async () => {
    const plans = await PlanWorld.make()
    const planId = await plans.plan(`goal: g
steps:
  - key: each
    kind: command
    foreach: [a, b, c, d]
    atOnce: 1
    input:
      command: sh
      args: [-c, 'echo "$0" >> told; [ "$0" != c ] || while [ ! -e go ]; do sleep 0.02; done; echo "done $0"', "\${{ item }}"]
  - { key: end, kind: command, input: ${say('${{ steps.each.output }}')} }
`)
    const doomed = plans.cli.start(['worker'])
    await plans.untilTold('c')
    expect(await doomed.kill('SIGKILL')).toBe('SIGKILL')
    await plans.cli.file('repo/go', '')
    expect((await plans.cli.agentm(['run', planId])).code).toBe(0)
    // Only the item that ran when the worker was killed is begun again.
    expect(plans.told()).toEqual(['a', 'b', 'c', 'c', 'd', '["done a","done b","done c","done d"]'])
    expect(await readFile(`${plans.cli.repo}/told`, 'utf8')).toContain('a\nb\nc\nc\nd\n')
  },
)
