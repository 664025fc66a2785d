import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { opencodePlugin } from '../src/hosts/pure/opencode-plugin.ts'

interface Part {
  readonly type: string
  readonly text: string
  readonly synthetic?: boolean
  readonly messageID?: string
}

interface Plugin {
  event(given: { readonly event: { readonly type: string; readonly properties: object } }): Promise<void>
  'chat.message'(
    about: { readonly sessionID: string },
    message: { readonly message: { readonly id: string }; readonly parts: Part[] },
  ): Promise<void>
  'experimental.session.compacting'(
    about: { readonly sessionID: string },
    output: { readonly context: string[] },
  ): Promise<void>
}

/** The plugin as opencode loads it. Its command writes down what it was given, and prints what `answers` has for the event. */
async function setup(answers: Readonly<Record<string, string>>, code = 0) {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-opencode-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const [calls, bin] = [path.join(directory, 'calls'), path.join(directory, "it's agentm")]
  await mkdir(calls)
  const cases = Object.entries(answers).map(([event, text]) => `${event}) printf '%s\\n' '${text}';;`)
  await writeFile(
    bin,
    `#!/bin/sh\n{ echo "$@"; cat; } > '${calls}'/$(date +%s%N)\ncase "$2" in\n${cases.join('\n')}\nesac\nexit ${code}\n`,
  )
  await chmod(bin, 0o755)
  const file = path.join(directory, 'agentm.mjs')
  await writeFile(file, opencodePlugin([bin]))
  const loaded = (await import(pathToFileURL(file).href)) as {
    readonly AgentmPlugin: (about: { readonly directory: string }) => Promise<Plugin>
  }
  const plugin = await loaded.AgentmPlugin({ directory })
  const say = async (text: string, sessionID = 's1') => {
    const parts: Part[] = [{ type: 'text', text }]
    await plugin['chat.message']({ sessionID }, { message: { id: 'm1' }, parts })
    return parts.slice(1)
  }
  return { plugin, say, calls: () => callsIn(calls) }
}

async function callsIn(directory: string) {
  const names = (await readdir(directory)).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(path.join(directory, name), 'utf8')))
  return texts.map((text) => {
    const [args = '', input = ''] = text.split('\n')
    return [args, JSON.parse(input) as Readonly<Record<string, unknown>>] as const
  })
}

it('puts what memory knows behind the first prompt, and what may help behind each', async () => {
  const { say, calls } = await setup({ 'session-start': 'Known.', 'prompt-submit': 'May help.' })
  expect(await say('One?')).toEqual([
    expect.objectContaining({ text: 'Known.\n\nMay help.', synthetic: true, messageID: 'm1', type: 'text' }),
  ])
  expect((await say('Two?')).map(({ text }) => text)).toEqual(['May help.'])
  expect((await say('Three?', 's2')).map(({ text }) => text)).toEqual(['Known.\n\nMay help.'])
  expect((await calls()).map(([args]) => args)).toEqual(
    ['session-start', 'prompt-submit', 'prompt-submit', 'session-start', 'prompt-submit'].map(
      (event) => `hook ${event} --host opencode`,
    ),
  )
  expect((await calls())[1]?.[1]).toMatchObject({ session_id: 's1', prompt: 'One?', cwd: expect.any(String) })
})

it('says again what is known after the context was shortened, and adds to the summary', async () => {
  const { plugin, say, calls } = await setup({ 'session-start': 'Known.', 'pre-compact': 'Keep this.' })
  await say('One?')
  const context: string[] = []
  await plugin['experimental.session.compacting']({ sessionID: 's1' }, { context })
  expect(context).toEqual(['Keep this.'])
  await plugin.event({ event: { type: 'session.compacted', properties: { sessionID: 's1' } } })
  expect((await say('Two?')).map(({ text }) => text)).toEqual(['Known.'])
  expect((await calls()).filter(([args]) => args.includes('session-start')).map(([, { source }]) => source)).toEqual([
    'startup',
    'compact',
  ])
})

it('tells the end of a turn, and leaves sub-agents to themselves', async () => {
  const { plugin, say, calls } = await setup({ 'session-start': 'Known.' })
  await plugin.event({ event: { type: 'session.created', properties: { info: { id: 's2', parentID: 's1' } } } })
  expect(await say('A task.', 's2')).toEqual([])
  await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 's2' } } })
  await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 's1' } } })
  expect((await calls()).map(([args, { session_id: session }]) => [args, session])).toEqual([
    ['hook subagent-stop --host opencode', 's2'],
    ['hook stop --host opencode', 's1'],
  ])
})

it('changes nothing where the hook fails or prints nothing', async () => {
  const failing = await setup({ 'session-start': 'Known.', 'prompt-submit': 'May help.' }, 1)
  expect(await failing.say('One?')).toEqual([])
  const silent = await setup({})
  expect(await silent.say('One?')).toEqual([])
})
