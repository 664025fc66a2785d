import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const here = fileURLToPath(new URL('..', import.meta.url))
const commands = fileURLToPath(new URL('../../../node_modules/.bin/', import.meta.url))

it('is proven by the command once it is built', async () => {
  await run(`${commands}tsc`, ['-p', '.'], { cwd: here })
  const { stdout } = await run(`${commands}agentm-conformance`, ['./dist/index.js', '--json'], { cwd: here })
  expect(JSON.parse(stdout)).toMatchObject({ failed: [] })
})

it('keeps the gates, as its continuous integration asks', { timeout: 120_000 }, async () => {
  const { stdout } = await run(`${commands}agentm-gates`, [], { cwd: here })
  expect(stdout).not.toContain('MapBackend')
})
