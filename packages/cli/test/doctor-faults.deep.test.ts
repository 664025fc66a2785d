/** What doctor finds broken it names, with what to do about it, and exits with 1; beside each stands the same thing whole. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CliWorld } from './cli-world.ts'

const patience = { timeout: 120_000 }

async function setup() {
  const world = await CliWorld.forThisTest()
  const doctor = async (name: string) => {
    const { code, out } = await world.agentm(['doctor'])
    return { code, rows: out.split('\n').filter((line) => line.startsWith(`${name} [`)) }
  }
  return { world, doctor }
}

async function endpoint(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

async function closedEndpoint(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/v1`
}

describe('doctor', patience, () => {
  it('names a config that is not JSON, and says OK of nothing that is in it', async () => {
    const { world, doctor } = await setup()
    expect(await doctor('config')).toMatchObject({ code: 0, rows: [expect.stringContaining('config [OK]')] })
    const file = await world.file('.claude/.agentm-config.json', '{ "models.url": ')
    const { code, rows } = await doctor('config')
    expect(code).toBe(1)
    expect(rows).toEqual([expect.stringMatching(/^config \[FAIL\] .*:1:17 is not JSON .* Repair it, or move it away/)])
    expect(rows[0]).toContain(file)
  })

  it('names a project.json and a registry of repositories that are not JSON', async () => {
    const { world, doctor } = await setup()
    await world.agentm(['init', '--yes'])
    expect(await doctor('project')).toEqual({ code: 0, rows: [`project [OK] acme, ${world.repo}`] })
    await world.file('repo/.harness/project.json', '{ "vault_project": acme }')
    expect(await doctor('project')).toEqual({
      code: 1,
      rows: [
        `project [OK] acme, ${world.repo}`,
        expect.stringMatching(/^project \[FAIL\] \.harness\/project\.json is not JSON .* Repair it, or delete it\.$/),
      ],
    })
    await world.file('repo/.harness/project.json', '{ "vault_project": "acme" }')
    await world.file('.agentm/memory/_meta/repos.json', '{ "version": ')
    expect(await doctor('repos')).toEqual({
      code: 1,
      rows: [expect.stringMatching(/^repos \[FAIL\] _meta\/repos\.json is not JSON .* Repair it/)],
    })
  })

  it('names a PostgreSQL server that does not answer', async () => {
    const { world, doctor } = await setup()
    world.variables['AGENTM_NODES_URL'] = 'postgres://ada@127.0.0.1:1/agents'
    const { code, rows } = await doctor('log')
    expect(code).toBe(1)
    expect(rows).toEqual([
      expect.stringMatching(
        /^log \[FAIL\] no PostgreSQL server answers at 127\.0\.0\.1:1\/agents\. Start it, or correct/,
      ),
    ])
  })

  it.each([
    [
      'answers 500',
      500,
      '{ "error": { "message": "out of memory" } }',
      'the server answers with an error (500: out of memory).',
    ],
    ['answers broken JSON', 200, '{ "data": [', 'the server answers with an error (what it answers is not JSON).'],
  ])('names a model that %s', async (_, status, body, said) => {
    const { world, doctor } = await setup()
    const url = await endpoint((__, response) => response.writeHead(status).end(body))
    await world.file('.claude/.agentm-config.json', JSON.stringify({ 'models.url': url, 'models.model': 'm' }))
    const { code, rows } = await doctor('model')
    expect(code).toBe(1)
    expect(rows[0]).toContain(`model [FAIL] m at ${url}, no key in AGENTM_MODEL_KEY: ${said}`)
    expect(rows[0]).toContain('agentm config set models.url URL')
  })

  it('takes a model that keeps no list, or is slow to give it, for one that may answer', async () => {
    const { world, doctor } = await setup()
    const without = await endpoint((__, response) => response.writeHead(404).end('{}'))
    await world.file('.claude/.agentm-config.json', JSON.stringify({ 'models.url': without, 'models.model': 'm' }))
    expect(await doctor('model')).toMatchObject({ code: 0, rows: [expect.stringContaining('model [OK]')] })
    const slow = await endpoint(() => {})
    await world.file('.claude/.agentm-config.json', JSON.stringify({ 'models.url': slow, 'models.model': 'm' }))
    expect(await doctor('model')).toMatchObject({
      code: 0,
      rows: [expect.stringContaining('the server is slow (no answer within 3 s)')],
    })
  })
})

describe('agentm do', patience, () => {
  const goal = 'Compare three ways to store sessions, and write a report about the best one'

  it('says within seconds which model cannot be reached, where and why, and plans nothing', async () => {
    const { world } = await setup()
    const url = await closedEndpoint()
    await world.file('.claude/.agentm-config.json', JSON.stringify({ 'models.url': url, 'models.model': 'm' }))
    const began = performance.now()
    const { code, err } = await world.agentm(['do', goal])
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(code).toBe(1)
    expect(err).toContain(`nothing was started, because the model m at ${url} cannot be reached (ECONNREFUSED)`)
    expect(err).toContain('agentm config set models.url URL')
    expect(await world.json(['status', '--all'])).toEqual({ plans: [] })
  })
})
