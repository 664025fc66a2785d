import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeWorld } from './fake-world.ts'
import { claude, codex, kept } from './lines.ts'

const retry = { maxFailures: 3, baseMs: 1, capMs: 1 }

describe('a step of a coding agent', () => {
  it('gives its text, its session, what it used, and the files it touched', async () => {
    const world = await fakeWorld('claude-code', [
      [
        claude.init(),
        claude.says('I correct it.'),
        claude.calls('Edit', { file_path: 'sum.js', old_string: 'a', new_string: 'b' }),
        claude.result('updated'),
        claude.says('Done.', { id: 'm2' }),
        claude.done('Done.', { input: 200, output: 40, dollars: 0.0016 }),
      ],
    ])
    const { planId, stepId } = await world.plan()
    await world.start()
    await world.ended(planId)
    const { status, result } = await world.step(stepId)
    expect({ status, result }).toEqual({
      status: 'done',
      result: { text: 'Done.', session: 'c-1', tokens: 240, costMicros: 1600, files: ['sum.js'] },
    })
    const told = await world.observations(stepId)
    expect(told.map(({ kind, content }) => [kind, content])).toEqual([
      ['note', 'claude-code begins the session c-1'],
      ['note', 'I correct it.'],
      ['tool_result', 'Edit: {"file_path":"sum.js","old_string":"a","new_string":"b"}\nupdated'],
      ['note', 'Done.'],
      ['note', 'cost 0.0016 dollars'],
    ])
    expect(await world.harness.usage(planId)).toMatchObject({ tokens: 240, costMicros: 1600, toolCalls: 1 })
  })

  it('reads the prompt from standard input, in the directory of the step, and sees only the variables it may', async () => {
    const world = await fakeWorld('claude-code', [[claude.init(), claude.done('Ok.')]], { variables: ['MY_KEY'] })
    const { planId } = await world.plan({ model: 'opus', maxTurns: 4 })
    await world.start()
    await world.ended(planId)
    const [call] = await world.calls()
    expect([call?.prompt, call?.cwd]).toEqual(['Fix the sum.', world.directory])
    expect([call?.env['MY_KEY'], call?.env['SECRET'], call?.env['AGENTM_PLAN_ID']]).toEqual(['k', undefined, planId])
    expect(call?.args.join(' ')).toContain('--model opus --max-turns 4 --restricted')
  })

  it('says how to install an agent that is not there', async () => {
    const world = await fakeWorld('codex', [], { command: ['no-such-codex'] })
    const { planId, stepId } = await world.plan()
    await world.start()
    await world.ended(planId)
    const { failure } = await world.step(stepId)
    expect(failure).toMatchObject({ code: 'CLIENT_ABSENT', retryable: false })
    expect(failure?.message).toContain('npm install -g @openai/codex')
    expect(failure?.message).toContain('codingAgents.codex')
  })

  it('refuses permissions that are wider than the policy, and input it does not know', async () => {
    const policy = { files: 'read', shell: ['npm test'], hosts: [] } as const
    const world = await fakeWorld('claude-code', [[claude.done('never')]], { policy })
    const wide = await world.plan({ permissions: { files: 'write' } })
    const wrong = await world.plan({ prompt: '' })
    await world.start()
    await world.ended(wide.planId)
    await world.ended(wrong.planId)
    expect((await world.step(wide.stepId)).failure).toMatchObject({ code: 'PERMISSION', retryable: false })
    expect((await world.step(wrong.stepId)).failure?.message).toContain('its input does not fit: prompt')
    expect(await world.calls()).toEqual([])
  })

  it('fails when every call was refused, whatever the agent says', async () => {
    const world = await fakeWorld('claude-code', [
      [
        claude.init(),
        claude.calls('Bash', { command: 'rm -r .' }),
        claude.result('Permission to use Bash has been denied because …', { failed: true }),
        claude.done('All done!'),
      ],
    ])
    const { planId, stepId } = await world.plan()
    await world.start()
    await world.ended(planId)
    expect((await world.step(stepId)).failure).toMatchObject({ code: 'REFUSED_TOOLS', retryable: false })
  })

  it('stores no secret that a tool printed', async () => {
    const secret = `sk-ant-api03-${'a1B2'.repeat(24)}AA`
    const world = await fakeWorld('claude-code', [
      [
        claude.init(),
        claude.calls('Bash', { command: `echo ${secret}` }),
        claude.result(secret),
        claude.done(`It is ${secret}`),
      ],
    ])
    const { planId, stepId } = await world.plan()
    await world.start()
    await world.ended(planId)
    expect(JSON.stringify([await world.step(stepId), await world.observations(stepId)])).not.toContain(secret)
  })
})

describe('the session of a step', () => {
  it('is resumed after the agent was killed, and its work is not begun again', async () => {
    const world = await fakeWorld('claude-code', [
      [claude.init(), claude.says('I begin.'), { kill: 'SIGKILL' }],
      [claude.init(), claude.done('Done.')],
    ])
    const { planId, stepId } = await world.plan({}, { retry })
    await world.start()
    await world.ended(planId)
    const [first, second] = await world.calls()
    expect(first?.args).not.toContain('--resume')
    expect(second?.args.join(' ')).toContain('--resume c-1')
    expect(second?.prompt).toContain('interrupted')
    expect((await world.step(stepId)).result).toMatchObject({ text: 'Done.', session: 'c-1' })
  })

  const noLinks = 'WARNING: proceeding, even though we could not create PATH aliases'
  const lostRace = { stderr: `${noLinks}: operation would block` }
  const done = [codex.init('x-1'), codex.says('Done.'), codex.done(100, 20)]

  it('is started again where Codex says at its start that its commands will fail', async () => {
    const world = await fakeWorld('codex', [
      [lostRace, codex.init('x-1'), { hang: true }],
      [lostRace, { hang: true }],
      done,
    ])
    const { planId, stepId } = await world.plan()
    await world.start()
    await world.ended(planId)
    expect(await world.step(stepId)).toMatchObject({ status: 'done', attempt: 0, result: { tokens: 120 } })
    expect(await world.calls()).toHaveLength(3)
    const told = (await world.observations(stepId)).map(({ content }) => content)
    expect(told.filter((content) => content.startsWith('Codex is started again: WARNING'))).toHaveLength(2)
  })

  it('goes on where Codex says so at each start, or where a new start would not help', async () => {
    for (const [why, starts] of [
      ['No such file or directory (os error 2)', 5],
      ['Permission denied (os error 13)', 1],
    ] as const) {
      const world = await fakeWorld('codex', [[{ stderr: `${noLinks}: ${why}` }, ...done]])
      const { planId, stepId } = await world.plan()
      await world.start()
      await world.ended(planId)
      expect(await world.step(stepId)).toMatchObject({ status: 'done', result: { tokens: 120 } })
      expect(await world.calls()).toHaveLength(starts)
    }
  })

  it('begins anew where its files are gone', async () => {
    const world = await fakeWorld('codex', [
      [codex.init('x-1'), { kill: 'SIGKILL' }],
      [{ stderr: 'Error: thread/resume failed: no rollout found for thread id x-1 (code -32600)' }, { exit: 1 }],
      [codex.init('x-2'), codex.says('Done.'), codex.done(100, 20)],
    ])
    const { planId, stepId } = await world.plan({}, { retry })
    await world.start()
    await world.ended(planId)
    const prompts = (await world.calls()).map(({ args, prompt }) => [args.includes('resume'), prompt.slice(0, 12)])
    expect(prompts).toEqual([
      [false, 'Fix the sum.'],
      [true, 'This session'],
      [false, 'Fix the sum.'],
    ])
    // The run that found nothing to resume is no failure.
    expect(await world.step(stepId)).toMatchObject({ failures: 1, result: { session: 'x-2' } })
  })

  it('is told once what a check said, and only goes on after a crash', async () => {
    const world = await fakeWorld('claude-code', [
      [claude.init(), claude.done('Half of it is done.')],
      [claude.init(), { kill: 'SIGKILL' }],
      [claude.init(), claude.done('Done.')],
    ])
    const check = { schema: { type: 'object', properties: { text: { const: 'Done.' } } } }
    const { planId, stepId } = await world.plan({}, { retry, check })
    await world.start()
    await world.ended(planId)
    expect((await world.calls()).map(({ prompt }) => prompt.slice(0, 21))).toEqual([
      'Fix the sum.',
      'Your work was checked',
      'This session was inte',
    ])
    expect(await world.step(stepId)).toMatchObject({ status: 'done', result: { text: 'Done.', session: 'c-1' } })
  })

  it('is not resumed for another prompt', async () => {
    const world = await fakeWorld('claude-code', [[claude.init(), claude.done('Done.')]])
    const one = await world.plan()
    const other = await world.plan({ prompt: 'Something else.' })
    await world.start()
    await world.ended(one.planId)
    await world.ended(other.planId)
    expect((await world.calls()).flatMap(({ args }) => args).includes('--resume')).toBe(false)
  })

  it('is given up when it only fails, so that the next try begins anew', async () => {
    const fails = { type: 'result', subtype: 'success', is_error: true, result: 'prompt is too long' }
    const world = await fakeWorld('claude-code', [
      [claude.init(), claude.says('I begin.'), fails],
      [claude.init(), fails],
      [claude.init('c-2'), claude.done('Done.')],
    ])
    const { planId, stepId } = await world.plan({}, { retry })
    await world.start()
    await world.ended(planId)
    expect((await world.calls()).map(({ args }) => args.includes('--resume'))).toEqual([false, true, false])
    expect((await world.step(stepId)).result).toMatchObject({ session: 'c-2' })
  })
})

describe('a usage limit', () => {
  it('parks the step until it ends, holds no slot, and counts as no failure', async () => {
    const resetsAt = Math.ceil(Date.now() / 1000) + 3600
    const world = await fakeWorld('claude-code', [
      [
        claude.init(),
        { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt, rateLimitType: 'five_hour' } },
        {
          type: 'result',
          subtype: 'success',
          is_error: true,
          result: "You've hit your 5-hour limit · resets 4:46am (UTC)",
        },
        { exit: 1 },
      ],
      [claude.init(), claude.done('Done.')],
    ])
    const { planId, stepId } = await world.plan()
    const worker = await world.start()
    await expect.poll(async () => (await world.step(stepId)).status).toBe('blocked')
    const { waitsFor, failures = 0, attempt } = await world.step(stepId)
    expect({ waitsFor, failures, attempt }).toMatchObject({
      waitsFor: { for: 'rate-limit', until: resetsAt * 1000 },
      failures: 0,
      attempt: 0,
    })
    // Nothing runs here any more.
    await worker.idle()
    await world.harness.retryStep(stepId)
    await world.ended(planId)
    expect((await world.calls())[1]?.args.join(' ')).toContain('--resume c-1')
  })

  it('ends an agent that would wait by itself', async () => {
    const world = await fakeWorld('codex', [
      [
        codex.init(),
        { type: 'error', message: 'Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)' },
        { hang: true },
      ],
    ])
    const { stepId } = await world.plan()
    await world.start()
    await expect.poll(async () => (await world.step(stepId)).status).toBe('blocked')
    expect((await world.step(stepId)).waitsFor).toMatchObject({ for: 'rate-limit' })
  })
})

describe('the budget of the plan', () => {
  const price = { input: 3, output: 15, cachedInput: 0.3 }

  it('books what a session used once, although Codex reports the sum of all its runs', async () => {
    const world = await fakeWorld(
      'codex',
      [
        [codex.init(), codex.says('First.'), codex.done(1000, 100, 400), { exit: 1 }],
        [codex.init(), codex.says('Second.'), codex.done(2500, 201, 1400)],
      ],
      { priceOf: () => price },
    )
    const { planId, stepId } = await world.plan({ model: 'gpt' }, { retry, budget: { maxCostMicros: 1_000_000 } })
    await world.start()
    await world.ended(planId)
    // 1100 at 3, 1400 at 0.3 and 201 at 15.
    const costMicros = 1100 * 3 + 420 + 201 * 15
    expect((await world.step(stepId)).result).toMatchObject({ tokens: 2701, costMicros })
    expect(await world.harness.usage(planId)).toMatchObject({ tokens: 2701, costMicros })
  })

  it.each([
    ['after a run that ended', true],
    ['after a run that was killed', false],
  ])('books what Claude Code used once, which begins its figures where the session ended: %s', async (_, ended) => {
    const first = { input: 100, output: 20, dollars: 0.0008 }
    const world = await fakeWorld(
      'claude-code',
      [
        ended
          ? [claude.init(), claude.says('Half.'), claude.done('Half.', first), kept.claude('c-1', first)]
          : [claude.init(), claude.says('Half.'), { kill: 'SIGKILL' }],
        [
          claude.init(),
          claude.says('Done.', { id: 'm2' }),
          claude.done('Done.', ended ? { input: 200, output: 40, dollars: 0.0016 } : first),
        ],
      ],
      { priceOf: () => ({ input: 4, output: 20 }) },
    )
    const check = { schema: { type: 'object', properties: { text: { const: 'Done.' } } } }
    const { planId, stepId } = await world.plan({}, { retry, check })
    await world.start()
    await world.ended(planId)
    expect(await world.harness.usage(planId)).toMatchObject({ tokens: 240, costMicros: 1600 })
    expect((await world.step(stepId)).result).toMatchObject({ text: 'Done.', tokens: 240, costMicros: 1600 })
  })

  it('books once where the files of Claude Code are elsewhere', async () => {
    const world = await fakeWorld('claude-code', [
      [claude.init(), claude.says('Half.'), claude.done('Half.')],
      [
        claude.init(),
        claude.says('Done.', { id: 'm2' }),
        claude.done('Done.', { input: 200, output: 40, dollars: 0.0016 }),
      ],
    ])
    const check = { schema: { type: 'object', properties: { text: { const: 'Done.' } } } }
    const { planId } = await world.plan({}, { retry, check })
    await world.start()
    await world.ended(planId)
    expect(await world.harness.usage(planId)).toMatchObject({ tokens: 240, costMicros: 1600 })
  })

  const command = { type: 'item.started', item: { id: 'i2', type: 'command_execution', command: 'make' } }
  const tool = { type: 'tool_use', tool_name: 'read_file', tool_id: 't', parameters: {} }
  it.each([
    ['codex', [codex.init('x-1'), kept.codex('x-1', 100, 20), kept.codex('x-1', 200, 40), command]],
    [
      'gemini',
      [
        { type: 'init', session_id: 'abcdef01-2' },
        kept.gemini('abcdef01-2', 'a', 100, 20),
        kept.gemini('abcdef01-2', 'b', 100, 20),
        kept.gemini('abcdef01-2', 'b', 100, 20),
        tool,
      ],
    ],
  ] as const)('stops %s within a run by what the file of its session says', async (name, lines) => {
    const world = await fakeWorld(name, [[...lines, { hang: true }]], { priceOf: () => ({ input: 4, output: 20 }) })
    const { planId, stepId } = await world.plan({ model: 'm' }, { retry, budget: { maxCostMicros: 1500 } })
    await world.start()
    await world.ended(planId)
    expect((await world.step(stepId)).failure).toMatchObject({ code: 'budget_exhausted', retryable: false })
    expect(await world.harness.usage(planId)).toMatchObject({ tokens: 240, costMicros: 1600 })
  })

  it('books what a run used that was lost, when its agent was killed', async () => {
    const world = await lostRun({ kill: 'SIGKILL' })
    const { planId, stepId } = await world.plan({ model: 'm' }, { retry })
    await world.start()
    await world.ended(planId)
    expect(await world.harness.usage(planId)).toMatchObject({ tokens: 310, costMicros: 2200 })
    expect((await world.step(stepId)).result).toMatchObject({ tokens: 310, costMicros: 2200 })
  })

  it('books what a run used that was lost, when its worker was gone', async () => {
    const world = await lostRun({ hang: true })
    const { planId, stepId } = await world.plan({ model: 'm' }, { retry })
    const lost = await world.start()
    await expect.poll(() => world.text('hangs')).not.toBe('')
    await lost.stop()
    await world.start()
    await world.ended(planId)
    expect((await world.observations(stepId)).map(({ content }) => content)).toContain(
      'the lost run of this session used 120 tokens, cost 0.0008 dollars',
    )
    expect(await world.harness.usage(planId)).toMatchObject({ tokens: 310, costMicros: 2200 })
    expect((await world.step(stepId)).result).toMatchObject({ tokens: 310, costMicros: 2200 })
  })

  it('refuses an agent without a price under a cost limit, before it starts', async () => {
    const world = await fakeWorld('codex', [[codex.done(1, 1)]])
    const { planId, stepId } = await world.plan({}, { budget: { maxCostMicros: 1_000_000 } })
    await world.start()
    await world.ended(planId)
    expect((await world.step(stepId)).failure).toMatchObject({ code: 'MODEL_UNPRICED', retryable: false })
    expect(await world.calls()).toEqual([])
  })

  it('tells Claude Code what is left, and stops it at a limit', async () => {
    const world = await fakeWorld('claude-code', [
      [claude.init(), claude.says('One.'), claude.says('Two.', { id: 'm2' }), { hang: true }],
    ])
    const { planId, stepId } = await world.plan({}, { retry, budget: { maxTokens: 200, maxCostMicros: 50_000 } })
    await world.start()
    await world.ended(planId)
    expect((await world.calls())[0]?.args.join(' ')).toContain('--max-budget-usd 0.05')
    expect((await world.step(stepId)).failure).toMatchObject({ code: 'budget_exhausted', retryable: false })
    expect((await world.harness.usage(planId)).tokens).toBe(240)
  })

  it('leaves a step done whose last report uses up the budget', async () => {
    const world = await fakeWorld('codex', [[codex.init(), codex.says('Done.'), codex.done(1000, 100)]])
    const { planId, stepId } = await world.plan({}, { budget: { maxTokens: 1000 } })
    await world.start()
    await world.ended(planId)
    expect(await world.step(stepId)).toMatchObject({ status: 'done', result: { text: 'Done.', tokens: 1100 } })
  })

  it('stops an agent after as many replies as the step allows', async () => {
    const world = await fakeWorld('codex', [
      [
        codex.init(),
        ...['a', 'b', 'c'].map((id) => ({
          type: 'item.started',
          item: { id, type: 'command_execution', command: id },
        })),
        { hang: true },
      ],
    ])
    const { planId, stepId } = await world.plan({ maxTurns: 2 })
    await world.start()
    await world.ended(planId)
    expect((await world.step(stepId)).failure).toMatchObject({ code: 'max_turns', retryable: false })
  })
})

it('ends the agent and what it started when the step is cancelled', async () => {
  const world = await fakeWorld('claude-code', [[claude.init(), { child: 'child' }, { hang: true }]])
  const { planId } = await world.plan()
  await world.start()
  await expect.poll(() => world.text('hangs')).not.toBe('')
  const pids = [Number(await world.text('hangs')), Number(await world.text('child'))]
  await world.harness.cancelPlan(planId)
  await world.ended(planId)
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
  expect(path.isAbsolute(world.directory)).toBe(true)
})

it('ends what an agent started in a session of its own, with the step or before the next run', async ({ skip }) => {
  if (process.platform !== 'linux') skip('only Linux shows the variables of a process')
  const world = await fakeWorld('claude-code', [
    [claude.init(), { daemon: 'first' }, { kill: 'SIGKILL' }],
    [claude.init(), { daemon: 'second' }, claude.done('Done.')],
  ])
  const { planId } = await world.plan({}, { retry })
  await world.start()
  await world.ended(planId)
  const pids = [Number(await world.text('first')), Number(await world.text('second'))]
  expect(pids.every((pid) => pid > 0)).toBe(true)
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
})

/** A run of Codex that is lost after a reply, and one that resumes it. */
async function lostRun(end: object) {
  const lost = [codex.init('x-1'), kept.codex('x-1', 100, 20), { ...end }]
  const next = [codex.init('x-1'), kept.codex('x-1', 250, 60), codex.says('Done.'), codex.done(250, 60)]
  return fakeWorld('codex', [lost, next], { priceOf: () => ({ input: 4, output: 20 }) })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
