import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { mcpHosts } from '../src/hosts/mcp-hosts.ts'
import { startCommand } from '../src/hosts/start-command.ts'

const hostOf = (scope: 'project' | 'user') => mcpHosts.find((host) => host.scope === scope) ?? expect.fail(scope)

async function setup(platform: NodeJS.Platform) {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-start-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = path.join(directory, platform === 'win32' ? 'agentm.cmd' : 'agentm')
  await writeFile(file, '')
  await chmod(file, 0o755)
  const start = async (scope: 'project' | 'user', PATH: string) =>
    startCommand({ cwd: directory, home: directory, env: { PATH }, platform }, hostOf(scope))
  return { directory, file, start }
}

it('has a person’s host start the command through the shell of Windows, which alone runs scripts', async () => {
  const { directory, file, start } = await setup('win32')
  expect(await start('user', directory)).toEqual(['cmd', '/c', file, 'mcp'])
  expect(await start('user', '')).toEqual(['cmd', '/c', 'npx', '-y', '@agentm/cli', 'mcp'])
})

it('writes nothing of Windows into a file that others share', async () => {
  const { directory, start } = await setup('win32')
  expect(await start('project', directory)).toEqual(['agentm', 'mcp'])
  expect(await start('project', '')).toEqual(['npx', '-y', '@agentm/cli', 'mcp'])
})

it('starts it directly everywhere else', async () => {
  const { directory, file, start } = await setup('linux')
  expect(await start('user', directory)).toEqual([file, 'mcp'])
  expect(await start('user', '')).toEqual(['npx', '-y', '@agentm/cli', 'mcp'])
})
