/** What doctor says of the model and the tools, against an endpoint of this test. */
import { expect, it, onTestFinished } from 'vitest'
import { startScriptedServer } from '../../../tools/scripted-model.mjs'
import { CliWorld } from './cli-world.ts'

const patience = { timeout: 120_000 }
const secret = 'sk-very-secret-1'

async function world(config: Readonly<Record<string, unknown>> = {}) {
  const cli = await CliWorld.make()
  onTestFinished(() => cli.remove())
  const set = (more: Readonly<Record<string, unknown>>) => cli.file('.claude/.agentm-config.json', JSON.stringify(more))
  await set(config)
  const doctor = async () => {
    const { code, out, err } = await cli.agentm(['doctor'])
    expect(`${out}${err}`).not.toContain(secret)
    const line = (name: string) => out.split('\n').filter((each) => each.startsWith(`${name} [`))
    return { code, model: line('model'), tools: line('tools') }
  }
  return { cli, set, doctor }
}

it('says that no model is configured, and how to configure one', patience, async () => {
  const { doctor } = await world()
  const { code, model, tools } = await doctor()
  expect(code).toBe(0)
  expect(model).toEqual([
    expect.stringMatching(/^model \[OK\] no model is configured\. .* agentm config set models\.url URL/),
  ])
  expect(tools).toEqual(['tools [OK] files_list, files_glob, files_search, files_read, memory_recall, memory_save'])
})

it('says which model answers, where, and with which key, and never the key', patience, async () => {
  const server = await startScriptedServer([], { key: secret })
  onTestFinished(() => server.close())
  const { cli, set, doctor } = await world({ 'models.url': server.url, 'models.model': 'scripted' })
  const without = await doctor()
  expect(without.code).toBe(1)
  expect(without.model).toEqual([
    `model [FAIL] scripted at ${server.url}, no key in AGENTM_MODEL_KEY: the server refuses a request without a key (401). Set the environment variable AGENTM_MODEL_KEY`,
  ])
  cli.variables['AGENTM_MODEL_KEY'] = secret
  const listed = `model [OK] scripted at ${server.url}, key from AGENTM_MODEL_KEY: it answers`
  expect(await doctor()).toMatchObject({ code: 0, model: [listed] })
  await set({ 'models.url': server.url.replace('://', `://user:${secret}@`), 'models.model': 'other' })
  expect((await doctor()).model).toEqual([
    expect.stringContaining('model [FAIL] the address of the model contains a password'),
  ])
  await set({ 'models.url': server.url, 'models.model': 'other' })
  expect((await doctor()).model).toEqual([expect.stringContaining('the server answers, but lists no model other.')])
  expect(server.requests).toEqual([])
})

it('says what cannot be reached, and what cannot be meant', patience, async () => {
  const server = await startScriptedServer([])
  await server.close()
  const { set, doctor } = await world({ 'models.url': server.url, 'models.model': 'scripted' })
  const away = await doctor()
  const said = `model [FAIL] scripted at ${server.url}, no key in AGENTM_MODEL_KEY: the server cannot be reached (ECONNREFUSED). `
  expect(away).toMatchObject({ code: 1, model: [expect.stringContaining(said)] })
  await set({ 'models.model': 'scripted' })
  expect(await doctor()).toMatchObject({ code: 1, model: [expect.stringContaining('model [FAIL] a model needs both')] })
  await set({ 'tools.mcp.gone': { command: 'no-such-program-here' } })
  const { tools } = await doctor()
  expect(tools[0]).toContain('tools [OK] files_list, files_glob, files_search, files_read')
  expect(tools[1]).toMatch(/^tools \[WARN\] the MCP server gone cannot be used: /)
})
