/** What tools were called with is shown to whoever asks for it, as text and as data, and without the secrets in it. */
import { expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { CliWorld } from './cli-world.ts'

const patience = { timeout: 120_000 }
// Made here, piece by piece, so that no scanner takes this file for a leak.
const token = ['gh', 'p_', 'aB3x'.repeat(9)].join('')

interface Traced {
  readonly planId: string
  readonly goal: string
  readonly status: string
  readonly complete: boolean
  readonly metrics: { readonly toolCalls: number }
  readonly steps: readonly { readonly finalStatus: string }[]
  readonly events: readonly {
    readonly at: string
    readonly kind: string
    readonly toolName: string
    readonly data: Readonly<Record<string, unknown>>
  }[]
  readonly timeline: string
}

async function traced() {
  const cli = await CliWorld.forThisTest()
  const server = await startScriptedServer([
    { calls: [['files_write', { path: 'env.txt', text: `TOKEN=${token}` }]] },
    { calls: [['respondToUser', { text: 'It is written.' }]] },
  ])
  onTestFinished(() => server.close())
  const config = { 'tools.files': 'write', 'models.url': server.url, 'models.model': 'scripted' }
  await cli.file('.claude/.agentm-config.json', JSON.stringify(config))
  const { planId } = (await cli.json(['do', 'Write the token', '--trees', 'none'])) as { readonly planId: string }
  return { cli, planId }
}

it('shows the arguments of a tool call and what it answered', patience, async () => {
  const { cli, planId } = await traced()
  expect((await cli.agentm(['trace', planId])).out).not.toContain('env.txt",')
  const { code, out } = await cli.agentm(['trace', planId, '--calls'])
  expect(code).toBe(0)
  const lines = out.split('\n')
  const at = lines.findIndex((line) => line.includes('files_write'))
  expect(lines[at + 1]).toMatch(/^ +args +\{"path":"env\.txt","text":"TOKEN=\[redacted: [a-z-]+\]"\}$/)
  expect(lines[at + 2]).toMatch(/^ +result \S/)
  expect(out).not.toContain(token)
})

it('tells with --json what happened as data, and the text beside it', patience, async () => {
  const { cli, planId } = await traced()
  const trace = (await cli.json(['trace', planId])) as unknown as Traced
  expect(trace).toMatchObject({ planId, goal: 'Write the token', status: 'done', complete: true, stepCount: 1 })
  expect(trace.metrics).toMatchObject({ success: true, toolCalls: 1 })
  expect(trace.steps).toMatchObject([{ finalStatus: 'done', transitions: expect.arrayContaining(['running', 'done']) }])
  const called = trace.events.find(({ toolName }) => toolName === 'files_write')
  expect(called?.data).toMatchObject({ args: { path: 'env.txt' }, result: expect.any(String) })
  expect(trace.events.every(({ at }) => new Date(at).toISOString() === at)).toBe(true)
  expect(trace.timeline).toContain('Timeline:')
  expect(JSON.stringify(trace)).not.toContain(token)
})

it('says how an id with blanks has to be written', patience, async () => {
  const cli = await CliWorld.forThisTest()
  await cli.file('repo/plan.yaml', 'goal: x\nsteps: [{ key: a, kind: approval }]')
  const refused = await cli.agentm(['plan', 'new', '--steps', 'plan.yaml', '--id', 'release 1.4: final'])
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.err).toContain(
    '--id does not accept "release 1.4: final", because an id has no spaces and no colons. Try --id release-1.4-final',
  )
  expect(await cli.agentm(['plan', 'new', '--steps', 'plan.yaml', '--id', 'release-1.4-final'])).toMatchObject({
    code: 0,
  })
})
