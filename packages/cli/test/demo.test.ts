import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { whatIsLeft } from '../src/commands/demo.ts'
import { CliWorld } from './cli-world.ts'

const story = path.resolve(import.meta.dirname, '../../../docs/tutorials/first-minute.md')

/** What is the same every time: the commands, the headings, and the order of what the log says. */
function plot(transcript: string): readonly string[] {
  return transcript
    .split('\n')
    .filter((line) => /^\$ |:$|^ +\+\d|^Plan |^plan done/.test(line))
    .map((line) =>
      line
        .replaceAll(/\d{4}-\d\d-\d\dT\S+Z/g, 'TIME')
        .replace(/^Created on .*/, 'Created on DATE')
        .replace(/^ +\+[\d.]+ m?s /, 'TIME')
        .replace(/done, [\d.]+ m?s/, 'done, TIME')
        .replace(/on \S+, process \d+$/, 'on HOST')
        .replaceAll(/demo-[a-z0-9]+/g, 'PLAN')
        .replaceAll(/[0-9a-f]{32}/g, 'STEP')
        .replace(/^\$ kill -9 \d+/, '$ kill -9 PID'),
    )
}

describe('agentm demo', () => {
  it('plays the story of docs/tutorials/first-minute.md, without a node on the PATH, and touches nothing of the one who watches', async () => {
    const world = await CliWorld.make()
    onTestFinished(() => world.remove())
    world.variables['AGENTM_NODES_URL'] = path.join(world.home, 'my-own.db')
    world.variables['PATH'] = world.home
    const before = await readdir(world.home, { recursive: true })
    const { code, out } = await world.agentm(['demo'])
    expect(out).toMatch(/\nNothing was lost\. \d+(\.\d)? s; all temporary files were removed\.\n$/)
    expect(code).toBe(0)
    expect(plot(out)).toEqual(plot(/```text\n(.*?)```/s.exec(await readFile(story, 'utf8'))?.[1] ?? ''))
    expect(await readdir(world.home, { recursive: true })).toEqual(before)
  })

  it('says that its plan stays where a server keeps it', () => {
    expect(whatIsLeft('demo-1', { AGENTM_NODES_URL: 'postgres://db/x' })).toMatch(
      /the plan stays on your server: agentm trace demo-1$/,
    )
    for (const env of [{}, { AGENTM_NODES_URL: '/home/ada/agentm.db' }])
      expect(whatIsLeft('demo-1', env)).toBe('all temporary files were removed.')
  })
})
