import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ownServer } from './own-server.ts'

const server = ownServer()

test.each(['ts', 'typescript'])('the %s example of the README runs as it stands', async (language) => {
  const home = path.resolve(import.meta.dirname, '..')
  const readme = await readFile(path.join(home, 'README.md'), 'utf8')
  const [, code = '', output] =
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\`\\n\\n\`\`\`text\\n([^]*?)\`\`\``).exec(readme) ?? []
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: home,
    env: { PATH: process.env['PATH'], AGENTM_NODES_URL: server().url },
  })
  expect(stdout).toBe(output)
})
