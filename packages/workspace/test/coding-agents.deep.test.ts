import { beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { clients, installClients } from '../../../tools/clients/clients.mjs'
import { type CodingAgentName, codingAgentNames } from '@agentm/coding-agents'
import { correcting, perReply, type RealOptions, realWorld, type Script } from './real-agent-world.ts'

let place: Awaited<ReturnType<typeof installClients>> = { why: 'the clients were not installed' }

beforeAll(async () => {
  place = await installClients()
}, 600_000)

/** Skipped, with the reason, where npm cannot be reached. */
async function world(name: CodingAgentName, { skip }: TestContext, options?: RealOptions) {
  if ('why' in place) return skip(place.why)
  return realWorld(name, place.directory, options)
}

const waiting = { timeout: 90_000, interval: 50 }

describe.each(codingAgentNames)(`%s, as npm has it`, (name) => {
  it('carries out a step, and its tokens and its cost are booked to the millionth', async (context) => {
    const { repo, plan, play, worker, harness, step, observations, read, requests } = await world(name, context)
    play(correcting(name, repo))
    const { planId, stepId } = await plan({ budget: { maxCostMicros: 5_000_000 } })
    await worker()
    await harness.ended(planId)
    const { status, failure, result } = await step(stepId)
    expect({ status, failure }).toEqual({ status: 'done', failure: undefined })
    expect(await read('sum.js')).toContain('a + b')
    const replies = requests().length
    const used = { tokens: replies * perReply.tokens, costMicros: replies * perReply.costMicros }
    expect(result).toMatchObject({ text: 'The sum is right now.', files: ['sum.js'], ...used })
    expect(await harness.usage(planId)).toMatchObject({ ...used, toolCalls: replies - 1 })
    const kinds = (await observations(stepId)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'tool_result')).toHaveLength(replies - 1)
    expect(kinds).not.toContain('error')
  })

  it('resumes its session after a kill -9 of the agent', async (context) => {
    const { repo, plan, play, worker, harness, step, group, requests, read } = await world(name, context)
    play(silentAfterFirst(name, repo))
    const { planId, stepId } = await plan()
    await worker()
    await expect.poll(() => requests().length, waiting).toBe(2)
    await expect.poll(() => group(stepId), waiting).toBeGreaterThan(0)
    play(correcting(name, repo))
    process.kill(-(await group(stepId)), 'SIGKILL')
    await harness.ended(planId)
    await expectResumed({ requests, step: await step(stepId), file: await read('sum.js') })
    expect(countsOf(await step(stepId))).toEqual({ failures: 1, crashes: 0 })
    // The request that was never answered cost nothing.
    expect((await harness.usage(planId)).costMicros).toBe((requests().length - 1) * perReply.costMicros)
  })

  it('resumes its session after a kill -9 of the worker, and nothing of the lost run goes on', async (context) => {
    const { repo, plan, play, worker, harness, step, group, requests, read } = await world(name, context)
    play(silentAfterFirst(name, repo))
    const { planId, stepId } = await plan()
    const lost = await worker()
    await expect.poll(() => requests().length, waiting).toBe(2)
    await expect.poll(() => group(stepId), waiting).toBeGreaterThan(0)
    const left = await group(stepId)
    play(correcting(name, repo))
    lost.kill('SIGKILL')
    await worker()
    await harness.ended(planId)
    await expectResumed({ requests, step: await step(stepId), file: await read('sum.js') })
    expect(countsOf(await step(stepId))).toEqual({ failures: 0, crashes: 1 })
    expect(await group(stepId)).not.toBe(left)
    expect(() => process.kill(-left, 0)).toThrow('ESRCH')
    const unbooked = requests().length - 1 - (await harness.usage(planId)).costMicros / perReply.costMicros
    // What was printed and not read is lost; the files of a session are read again.
    expect(unbooked).toBeLessThanOrEqual(name === 'codex' || name === 'gemini' ? 0 : 1)
    expect(unbooked).toBeGreaterThanOrEqual(0)
  })

  it('books once what a session used whose work did not pass a check', async (context) => {
    const { repo, plan, play, worker, harness, step, requests } = await world(name, context)
    const works = correcting(name, repo)
    let isTold = false
    play((asked) => {
      isTold ||= asked.prompt.includes('the check did not pass')
      return isTold ? works(asked) : { text: 'It is right already.' }
    })
    const { planId, stepId } = await plan({
      check: { schema: { type: 'object', properties: { text: { const: 'The sum is right now.' } } } },
    })
    await worker()
    await harness.ended(planId)
    const replies = requests().length
    const used = { tokens: replies * perReply.tokens, costMicros: replies * perReply.costMicros }
    expect(await step(stepId)).toMatchObject({ status: 'done', result: used })
    expect(await harness.usage(planId)).toMatchObject(used)
  })

  it('is stopped within its run when the budget of the plan is used up', async (context) => {
    const { plan, play, worker, harness, step, requests } = await world(name, context)
    play(() => ({ text: 'I look.', calls: [clients[name].tools.shell('sleep 0.2')] }))
    const { planId, stepId } = await plan({ budget: { maxTokens: 3 * perReply.tokens } })
    await worker()
    await harness.ended(planId)
    // By whoever looks first: the step itself, or the plan that it belongs to.
    const { failure } = await step(stepId)
    expect(failure?.code ?? failure?.cause).toMatch(/^(budget_exhausted|halted)$/)
    expect(failure?.message).toContain('max_tokens')
    const replies = (await harness.usage(planId)).tokens / perReply.tokens
    // The reply that uses it up, and one more that is under way when the agent is stopped.
    expect(replies).toBeGreaterThanOrEqual(3)
    expect(replies).toBeLessThanOrEqual(4)
    expect(requests().length - replies).toBeLessThanOrEqual(1)
  })

  it('does not change a file where the policy only allows it to read', async (context) => {
    const shell = name === 'codex' ? 'any' : []
    const { repo, plan, play, worker, harness, step, read } = await world(name, context, {
      policy: { files: 'read', shell, hosts: [] },
    })
    play(correcting(name, repo))
    const { planId, stepId } = await plan()
    await worker()
    await harness.ended(planId)
    expect(await read('sum.js')).toContain('a - b')
    expect((await step(stepId)).result?.['files'] ?? []).toEqual([])
  })
})

/** What a provider answers when a limit is reached, and which variables the client then needs. */
const limits: Readonly<
  Record<
    CodingAgentName,
    (until: number) => { readonly refused: object; readonly env?: Readonly<Record<string, string>> }
  >
> = {
  'claude-code': (until) => ({
    // Limits with a reset belong to a subscription, which has a token in place of a key.
    env: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' },
    refused: {
      status: 429,
      headers: {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': `${until / 1000}`,
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      },
      body: {
        type: 'error',
        error: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
      },
    },
  }),
  codex: (until) => ({
    refused: {
      status: 429,
      body: {
        error: {
          type: 'usage_limit_reached',
          message: 'The usage limit has been reached',
          plan_type: 'pro',
          resets_at: until / 1000,
        },
      },
    },
  }),
  gemini: () => ({
    refused: {
      status: 429,
      body: {
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          message: 'You exceeded your current quota.',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
              violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
            },
          ],
        },
      },
    },
  }),
  opencode: () => ({
    refused: {
      status: 429,
      headers: { 'retry-after': '7200' },
      body: { error: { message: 'Rate limit reached. Please try again in 7200s.', type: 'rate_limit_exceeded' } },
    },
  }),
}

it.for(codingAgentNames)(
  '%s, as npm has it, is parked by a usage limit until it ends, and then resumed',
  async (name, context) => {
    const until = Math.ceil(Date.now() / 60_000) * 60_000 + 7_200_000
    const { refused, env } = limits[name](until)
    const { repo, plan, play, worker, harness, step, requests } = await world(
      name,
      context,
      env === undefined ? {} : { env },
    )
    const works = correcting(name, repo)
    play((asked) => (asked.results.length === 0 ? works(asked) : { refused: refused as never }))
    const { planId, stepId } = await plan()
    await worker()
    await expect.poll(async () => (await step(stepId)).status, waiting).toBe('blocked')
    const parked = await step(stepId)
    expect(parked).toMatchObject({ attempt: 0, waitsFor: { for: 'rate-limit' } })
    expect(countsOf(parked)).toEqual({ failures: 0, crashes: 0 })
    const waits = parked.waitsFor?.for === 'rate-limit' ? parked.waitsFor.until - Date.now() : 0
    // Gemini CLI does not say when a daily quota ends.
    const [least, most] = name === 'gemini' ? [10 * 60_000, 16 * 60_000] : [7_000_000, 7_400_000]
    expect(waits).toBeGreaterThan(least)
    expect(waits).toBeLessThan(most)
    const before = requests().length
    play(works)
    await harness.retryStep(stepId)
    await harness.ended(planId)
    expect(await step(stepId)).toMatchObject({ status: 'done' })
    expect(requests()[before]?.everything).toContain('I look at it first.')
  },
)

/** One reply with a call; the next one never comes. */
function silentAfterFirst(name: CodingAgentName, repo: string): Script {
  const works = correcting(name, repo)
  return (asked) => (asked.results.length === 0 ? works(asked) : { isSilent: true })
}

function countsOf({
  failures = 0,
  crashes = 0,
}: {
  readonly failures?: number | undefined
  readonly crashes?: number | undefined
}) {
  return { failures, crashes }
}

async function expectResumed({
  requests,
  step,
  file,
}: {
  readonly requests: () => readonly { readonly everything: string }[]
  readonly step: { readonly status: string; readonly result?: Readonly<Record<string, unknown>> | undefined }
  readonly file: string
}): Promise<void> {
  expect(step).toMatchObject({ status: 'done', result: { text: 'The sum is right now.' } })
  expect(file).toContain('a + b')
  // The first request of the resumed run has what was said and done before.
  const third = requests()[2]?.everything ?? ''
  expect({ said: third.includes('I look at it first.'), told: third.includes('This session was interrupted') }).toEqual(
    { said: true, told: true },
  )
}
