import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemRuntime } from '../../src/index.ts'
import { probeSandbox, runProgram, sandboxOf } from '../../src/internal.ts'
import { bubblewrapArgs } from '../../src/programs/pure/bubblewrap-args.ts'

const probe = await probeSandbox(systemRuntime)
const home = mkdtempSync(path.join(tmpdir(), 'agentm-sandbox-'))
const [work, secret, shared] = ['work', 'secret', 'shared'].map((name) => path.join(home, name))
for (const directory of [work, secret, shared]) mkdirSync(directory ?? '')
writeFileSync(path.join(secret ?? '', 'key'), 'secret')
writeFileSync(path.join(shared ?? '', 'text'), 'shared')
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function sh(line: string, { network = false } = {}) {
  const sandbox = sandboxOf(
    { network, hidden: [home], readable: [] },
    { writable: [work ?? ''], readable: [shared ?? ''] },
  )
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home }
  const program = {
    command: 'sh',
    args: ['-c', line],
    environment,
    directory: work,
    stdin: undefined,
    maxOutputBytes: 4096,
  }
  const { ended, stdout, stderr } = await runProgram(await sandbox(program), {
    signal: new AbortController().signal,
    runtime: systemRuntime,
  })
  return { code: 'code' in ended ? ended.code : -1, out: stdout.text, err: stderr.text }
}

describe.skipIf(!probe.works)(`a sandbox${probe.works ? '' : ` (skipped: ${probe.why})`}`, () => {
  it('lets a program write in its directory and in a /tmp of its own, and nowhere else', async () => {
    const name = `agentm-outside-${process.pid}`
    const { out } = await sh(
      `echo in > in; echo tmp > /tmp/${name} && cat /tmp/${name}; echo no > /usr/${name} || echo refused`,
    )
    expect(out).toBe('tmp\nrefused\n')
    expect(readFileSync(path.join(work ?? '', 'in'), 'utf8')).toBe('in\n')
    expect(readdirSync(tmpdir())).not.toContain(name)
  })

  it('hides the home directory, except what the step has to read', async () => {
    const { out } = await sh(
      `ls ${home}; cat ${secret}/key || echo hidden; cat ${shared}/text; echo x > ${shared}/text || echo read-only`,
    )
    expect(out).toBe('shared\nwork\nhidden\nsharedread-only\n')
    expect(readFileSync(path.join(shared ?? '', 'text'), 'utf8')).toBe('shared')
  })

  it('reaches a server of this machine only if the network is allowed', async () => {
    const server = createServer((socket) => socket.end('hello'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const script = `require('net').connect(${port},'127.0.0.1').on('data',d=>process.stdout.write(d)).on('error',e=>console.log(e.code))`
    const ask = (network: boolean) => sh(`node -e "${script}"`, { network })
    expect((await ask(false)).out).not.toContain('hello')
    expect((await ask(true)).out).toBe('hello')
    await new Promise((resolve) => server.close(resolve))
  })

  it('runs the programs that are installed, with their exit code', async () => {
    expect(await sh('node -e "process.exit(7)"')).toMatchObject({ code: 7 })
  })
})

it('lays a directory before those inside it, which would otherwise be covered', () => {
  const args = bubblewrapArgs({
    network: true,
    hidden: ['/home/ada/deep', '/home'],
    readable: [],
    writable: ['/home/ada/work'],
    resolver: [],
    directory: '/',
  })
  expect(args.indexOf('/home')).toBeLessThan(args.indexOf('/home/ada/deep'))
  expect(args.indexOf('/home/ada/deep')).toBeLessThan(args.indexOf('/home/ada/work'))
  expect(args).not.toContain('--unshare-net')
})
