import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ownPostgres } from '../../../tools/own-postgres.mjs'

const server = ownPostgres()

// What needs a server is no `ts` fence: the packages are tried alone without one.
test.each(['without a server', 'with a server'])('the example %s in the README runs as it stands', async (which) => {
  const home = path.resolve(import.meta.dirname, '..')
  const readme = await readFile(path.join(home, 'README.md'), 'utf8')
  const examples = [...readme.matchAll(/```(?:ts|typescript)\n([^]*?)```\n\n```text\n([^]*?)```/g)].filter(
    ([, code]) => code?.includes('AGENTM_NODES_URL') === (which === 'with a server'),
  )
  const [[, code = '', output] = []] = examples
  expect(examples).toHaveLength(1)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: home,
    env: { PATH: process.env['PATH'], AGENTM_NODES_URL: server().url },
  })
  expect(stdout).toBe(output)
})
