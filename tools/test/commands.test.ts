/** What every command of ours does before it can do anything: on an old Node, and when whoever reads its output has gone. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../run.mjs'

const commands = ['cli', 'conformance', 'gates', 'process-seam'].map((name) => ({
  name: name === 'cli' ? 'agentm' : `agentm-${name}`,
  file: path.join(root, 'packages', name, 'bin', name === 'cli' ? 'agentm.mjs' : `agentm-${name}.mjs`),
}))

/** As an old Node shows itself; the install test asks a real one. */
const isOld = (version: string) =>
  `--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`

describe.each(commands)('$name', ({ name, file }) => {
  it('says in one line which Node it needs, on one that is too old', async () => {
    for (const version of ['18.20.8', '20.18.3', '16.0.0'])
      expect(await started([isOld(version), file, '--help'])).toEqual({
        code: 1,
        out: '',
        err: `${name} needs Node 20.19 or newer; this is ${version}.\n`,
      })
  })

  it('names the version that its package asks for', () => {
    const { engines } = JSON.parse(readFileSync(path.join(path.dirname(file), '../package.json'), 'utf8')) as {
      engines: { node: string }
    }
    expect(readFileSync(file, 'utf8')).toContain(`needs Node ${engines.node.replace('>=', '')} or newer`)
  })

  it('ends quietly when whoever reads its output has gone', async () => {
    expect(await started([file, '--help'], { isRead: false })).toEqual({ code: 141, out: '', err: '' })
  })
})

it('are all of them tried here', () => {
  const found = readdirSync(path.join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^/]+\/bin\/agentm[^/]*$/.test(file))
    .map((file) => path.join(root, 'packages', file))
  expect(found.toSorted()).toEqual(commands.map(({ file }) => file).toSorted())
})

it('a demo that nobody reads any more leaves nothing behind', async () => {
  const scratch = await mkdtemp(path.join(tmpdir(), 'agentm-commands-'))
  onTestFinished(() => rm(scratch, { recursive: true, force: true }))
  const [{ file } = { file: '' }] = commands
  expect(await started([file, 'demo'], { isRead: false, scratch })).toEqual({ code: 141, out: '', err: '' })
  expect(await readdir(scratch)).toEqual([])
})

function started(args: readonly string[], { isRead = true, scratch = tmpdir() } = {}) {
  const env = { PATH: process.env['PATH'], HOME: scratch, TMPDIR: scratch }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stderr.on('data', (piece) => (said.err += String(piece)))
  if (isRead) child.stdout.on('data', (piece) => (said.out += String(piece)))
  else child.stdout.destroy()
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })))
}
