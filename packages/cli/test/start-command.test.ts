import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { hookCommand, type Scope, startCommand } from '../src/hosts/start-command.ts'

async function setup(platform: NodeJS.Platform) {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-start-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = path.join(directory, platform === 'win32' ? 'agentm.cmd' : 'agentm')
  await writeFile(file, '')
  await chmod(file, 0o755)
  const world = (PATH: string) => ({ cwd: directory, home: directory, env: { PATH }, platform })
  const start = (scope: Scope, PATH: string) => startCommand(world(PATH), scope)
  return { directory, file, start, world }
}

it('has a person’s host start the command through the shell of Windows, which alone runs scripts', async () => {
  const { directory, file, start } = await setup('win32')
  expect(start('user', directory)).toEqual(['cmd', '/c', file, 'mcp'])
  expect(start('user', '')).toEqual(['cmd', '/c', 'npx', '-y', '@agentm/cli', 'mcp'])
})

it('writes nothing of Windows into a file that others share', async () => {
  const { directory, start } = await setup('win32')
  expect(start('project', directory)).toEqual(['agentm', 'mcp'])
  expect(start('project', '')).toEqual(['npx', '-y', '@agentm/cli', 'mcp'])
})

it('starts it directly everywhere else', async () => {
  const { directory, file, start } = await setup('linux')
  expect(start('user', directory)).toEqual([file, 'mcp'])
  expect(start('user', '')).toEqual(['npx', '-y', '@agentm/cli', 'mcp'])
})

it('names no place in a hook, because a shell finds the command', async () => {
  const { directory, world } = await setup('linux')
  expect(hookCommand(world(directory))).toEqual(['agentm'])
  expect(hookCommand(world(''))).toEqual(['npx', '-y', '@agentm/cli'])
})
