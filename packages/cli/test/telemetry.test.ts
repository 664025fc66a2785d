import { expect, it } from 'vitest'
import { asksForTelemetry } from '../src/pure/asks-for-telemetry.ts'
import { CliWorld } from './cli-world.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
const hello = `goal: say hello
steps:
  - key: hello
    kind: command
    input: { command: echo, args: [hello] }
`

async function world(): Promise<CliWorld> {
  const cli = await CliWorld.forThisTest()
  await cli.file('.claude/.agentm-config.json', JSON.stringify({ 'harness.kinds': ['command'] }))
  await cli.file('repo/hello.yaml', hello)
  return cli
}

/** Prints the modules that a process loads from the package and the SDK, whatever loads them. */
async function tracing(cli: CliWorld): Promise<void> {
  const file = await cli.file(
    'tell-modules.cjs',
    `const Module = require('node:module')
    const tell = (name) => /@opentelemetry|(?:@agentm|packages).telemetry/.test(name) && process.stderr.write('LOADED ' + name + '\\n')
    const load = Module._load
    Module._load = function (name, ...more) { tell(String(name)); return load.call(this, name, ...more) }
    Module.registerHooks?.({ resolve(name, context, next) { tell(name); return next(name, context) } })`,
  )
  cli.variables['NODE_OPTIONS'] = `--require ${file}`
}

it.each([
  [['save', 'The staging database restarts at four.']],
  [['recall', 'when does staging restart']],
  [['hook', 'prompt-submit', '--host', 'claude-code']],
  [['status']],
])('loads nothing of telemetry for %j, also if the environment asks for it', async (args) => {
  const cli = await world()
  await tracing(cli)
  Object.assign(cli.variables, endpoint)
  const { err } = await cli.agentm(args, '{}')
  expect(err).not.toContain('LOADED')
})

it('loads it for a plan only if the environment asks for it', async () => {
  const cli = await world()
  await tracing(cli)
  expect((await cli.agentm(['run', 'hello.yaml'])).err).not.toContain('LOADED')
  Object.assign(cli.variables, endpoint, { OTEL_EXPORTER_OTLP_TIMEOUT: '200' })
  expect((await cli.agentm(['run', 'hello.yaml'])).err).toContain('LOADED')
})

it.each([
  [{}, false],
  [endpoint, true],
  [{ OTEL_TRACES_EXPORTER: 'none' }, false],
  [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }, false],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }, false],
])('takes %j for a wish: %s', (env, asks) => {
  expect(asksForTelemetry(env)).toBe(asks)
})

it('serves metrics of a worker on loopback, and refuses a port that is taken', async () => {
  const cli = await world()
  const worker = cli.start(['worker', '--metrics', '0'])
  await worker.said('/metrics')
  const url = /http:\S+\/metrics/.exec(worker.err)?.[0] ?? ''
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  await cli.agentm(['run', 'hello.yaml'])
  const answer = await fetch(url)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await answer.text()).toMatch(/^agentm_workers 1$/m)
  expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404)
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)

  const { code, err } = await cli.agentm(['worker', '--metrics', new URL(url).port])
  expect(code).toBe(2)
  expect(err).toContain('another program uses port')
  expect((await cli.agentm(['worker', '--metrics', 'here'])).err).toContain('--metrics does not accept here')
  const open = cli.start(['worker', '--metrics', '0.0.0.0:0'])
  await open.said('http://0.0.0.0:')
  await open.kill('SIGTERM')
  await worker.kill('SIGTERM')
})

it('says what it cannot export, and works on', async () => {
  const cli = await world()
  Object.assign(cli.variables, endpoint, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
  const { code, err } = await cli.agentm(['run', 'hello.yaml'])
  expect(code).toBe(0)
  expect(err).toContain('OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported')
})

it('logs JSON lines if it is asked to, also for an error', async () => {
  const cli = await world()
  const { code, out, err } = await cli.agentm(['run', 'hello.yaml', '--log', 'json'])
  expect(code).toBe(0)
  expect(out).toContain('1 of 1 done')
  const lines = linesOf(err)
  const done = lines.find(({ event }) => event === 'step.done')
  expect(done).toMatchObject({ level: 'info', kind: 'command', attempt: 0, message: expect.stringContaining('hello') })
  expect(done?.['plan']).toMatch(/^v1:harness:plan:/)
  expect(done?.['step']).toMatch(/^v1:harness:step:/)
  expect(Date.parse(String(done?.['time']))).not.toBeNaN()
  expect(lines.map(({ event }) => event)).toContain('plan.done')

  const failed = await cli.agentm(['run', 'nobody', '--log=json'])
  expect(failed.code).toBe(1)
  expect(linesOf(failed.err).at(-1)).toMatchObject({
    level: 'error',
    event: 'command.failed',
    code: expect.any(String),
  })
  expect((await cli.agentm(['run', 'hello.yaml', '--log', 'xml'])).err).toContain('Use text or json.')
})

function linesOf(err: string): readonly Readonly<Record<string, unknown>>[] {
  return err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
}
