/** Pictures and PDFs from a person to an agent: what is refused before a plan starts, and what the model gets. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { samplePdf, samplePng } from '../../../tools/sample-media.mjs'
import { CliWorld } from './cli-world.ts'

const goal = 'Say what is wrong'

async function world(settings: Readonly<Record<string, unknown>> = { 'models.inputs': ['image', 'pdf'] }) {
  const cli = await CliWorld.forThisTest()
  const server = await startScriptedServer([{ text: 'The button is red.', times: 0 }])
  onTestFinished(() => server.close())
  await cli.file(
    '.claude/.agentm-config.json',
    JSON.stringify({ owner: 'ada', 'models.url': server.url, 'models.model': 'scripted', ...settings }),
  )
  const put = (name: string, bytes: Uint8Array) => writeFile(path.join(cli.home, name), bytes)
  return { cli, server, put }
}

const shownIn = (content: unknown) =>
  Array.isArray(content) ? content.map((part: { readonly type: string }) => part.type) : content

describe('agentm do --file', { timeout: 60_000 }, () => {
  it('shows the files to the agent, and keeps their bytes out of the log', async () => {
    const { cli, server, put } = await world()
    const png = samplePng()
    await put('shot.png', png)
    await put('repo/report.pdf', samplePdf(2))
    const { out, code } = await cli.agentm(['do', goal, '--file', '../shot.png', '--file', 'report.pdf', '--no-check'])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('The button is red.') })
    const content = server.requests[0]?.body.messages.find(({ role }) => role === 'user')?.content
    expect(shownIn(content)).toEqual(['text', 'image_url', 'file'])
    expect(JSON.stringify(content)).toContain(png.toString('base64'))
    const exported = await cli.agentm(['log', 'export'])
    expect(exported.out).not.toContain(png.toString('base64').slice(20, 60))
  })

  it.each([
    ['absent.png', undefined, 'absent.png cannot be read (ENOENT'],
    ['a.png', Buffer.from('not at all'), 'a.png is neither a picture (PNG, JPEG, GIF, WebP) nor a PDF'],
    ['a.png', samplePng().subarray(0, 50), 'a.png is a damaged image/png: its end is missing'],
    ['a.pdf', samplePdf(200), 'a.pdf has 200 pages, and a PDF may have 100'],
  ])('refuses %s before anything is asked (%#)', async (name, bytes, says) => {
    const { cli, server, put } = await world()
    if (bytes !== undefined) await put(`repo/${name}`, bytes)
    const { code, err } = await cli.agentm(['do', goal, '--file', name])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(says) })
    expect(server.requests).toEqual([])
    expect(await cli.json(['status', '--all'])).toMatchObject({ plans: [] })
  })

  it('refuses a picture with the setting, where nothing says that the model takes any', async () => {
    const { cli, put } = await world({})
    await put('repo/shot.png', samplePng())
    const { code, err } = await cli.agentm(['do', goal, '--file', 'shot.png'])
    expect(code).toBe(2)
    expect(err).toContain(`config set models.inputs '{"scripted":["image"]}'`)
  })

  it('asks whether the model of agents takes it, and not another one', async () => {
    const { cli, put } = await world({ 'models.inputs': { scripted: ['pdf'], other: ['image'] } })
    await put('repo/shot.png', samplePng())
    const { code, err } = await cli.agentm(['do', goal, '--file', 'shot.png'])
    expect(code).toBe(2)
    expect(err).toContain(`config set models.inputs '{"scripted":["pdf","image"],"other":["image"]}'`)
    const own = await world({ 'models.inputs': { scripted: ['pdf'] }, 'models.roles.worker': { model: 'other' } })
    await own.put('repo/report.pdf', samplePdf(2))
    const refused = await own.cli.agentm(['do', goal, '--file', 'report.pdf'])
    expect(refused.err).toContain(`config set models.inputs '{"scripted":["pdf"],"other":["pdf"]}'`)
  })

  it('gives a fallback that takes no pictures a line in its place', async () => {
    const spare = await startScriptedServer([{ text: 'The button was red.', times: 0 }])
    const small = await startScriptedServer([{ status: 400, errorCode: 'context_length_exceeded', times: 0 }])
    onTestFinished(async () => void (await Promise.all([spare.close(), small.close()])))
    const { cli, put } = await world({
      'models.url': small.url,
      'models.inputs': { scripted: ['image'] },
      'models.fallbacks': [{ model: 'spare', url: spare.url }],
    })
    await put('repo/shot.png', samplePng())
    const { out, code } = await cli.agentm(['do', goal, '--file', 'shot.png', '--no-check'])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('The button was red.') })
    const content = spare.requests[0]?.body.messages.find(({ role }) => role === 'user')?.content
    expect(content).toContain('[shot.png (image/png) is not shown here: this model does not take it]')
  })
})

describe('files of a plan file', { timeout: 60_000 }, () => {
  it('are shown to the agents of their steps, also where a step is controlled or in another plan file', async () => {
    const { cli, server, put } = await world()
    await put('repo/shot.png', samplePng())
    await cli.file('repo/inner.yaml', 'steps: [{ key: look, title: inner look, files: shot.png }]\n')
    await cli.file(
      'repo/plan.yaml',
      `goal: g
steps:
  - { key: one, title: plain look, files: [shot.png] }
  - { key: two, title: controlled look, files: shot.png, foreach: [1], dependsOn: one }
  - { key: three, plan: inner.yaml, dependsOn: two }
  - { key: four, title: no picture, dependsOn: three }
`,
    )
    expect((await cli.agentm(['run', 'plan.yaml'])).code).toBe(0)
    const asked = server.requests.map(({ body }) => body.messages.find(({ role }) => role === 'user')?.content)
    expect(asked.map(shownIn)).toEqual([
      ...Array.from({ length: 3 }, () => ['text', 'image_url']),
      expect.stringContaining('no picture'),
    ])
  })

  it('are refused with their place, all at once', async () => {
    const { cli, put } = await world()
    await put('outside.png', samplePng())
    await put('repo/whole.png', samplePng())
    await cli.file('repo/text.png', 'words')
    await cli.file(
      'repo/plan.yaml',
      `goal: g
steps:
  - { key: a, files: [absent.png, text.png] }
  - { key: b, files: ../outside.png }
  - { key: c, kind: command, input: { command: make }, files: whole.png }
`,
    )
    const { code, err } = await cli.agentm(['run', 'plan.yaml'])
    expect(code).toBe(1)
    expect(err).toContain('plan.yaml:3:23 step "a": files: absent.png cannot be read (ENOENT')
    expect(err).toContain(
      'plan.yaml:3:35 step "a": files: text.png is neither a picture (PNG, JPEG, GIF, WebP) nor a PDF',
    )
    expect(err).toContain('step "b": files: ../outside.png is outside of the folder of the plan')
    expect(err).toContain('step "c": files: only a step of kind agent can be shown files')
  })
})
