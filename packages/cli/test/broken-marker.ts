/** What every command says about a store whose marker is not as it should be. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CliWorld } from './cli-world.ts'

export const markers = ['truncated', 'not an object', 'without id', 'a directory', 'foreign', 'absent'] as const

export type Marker = (typeof markers)[number]

/** A world in which notes and plans were kept, and whose marker was broken afterwards. */
export async function brokenWorld(marker: Marker): Promise<CliWorld> {
  const world = await CliWorld.forThisTest()
  await must(world, ['init', '--yes'])
  await must(world, ['save', 'The door is green.'])
  const file = path.join(world.home, '.agentm/memory/_meta/agentm-store.json')
  await rm(file)
  if (marker === 'truncated') await writeFile(file, '{"id": "0')
  if (marker === 'not an object') await writeFile(file, '"0"')
  if (marker === 'without id') await writeFile(file, '{}')
  if (marker === 'a directory') await mkdir(file)
  if (marker === 'foreign') await writeFile(file, '{"id": "another"}')
  return world
}

/** Commands that need the store are refused. */
export const refused = [
  ['save', 'More to say.'],
  ['capture', 'Something to look at.'],
  ['recall', 'door'],
  ['forget', 'nothing'],
  ['history', 'nothing'],
  ['supersede', 'nothing', 'text', '--reason', 'r'],
  ['reindex'],
  ['lint'],
  ['conflicts'],
  ['repos', 'list'],
  ['repos', 'register'],
  ['repos', 'unregister', 'acme'],
  ['state', 'write', 'PLAN.md'],
  ['doctor'],
  ['init', '--yes'],
] as const

/** Commands that only show, or do not need the store, go on and do not hide it where it matters. */
export const degraded = [
  ['project'],
  ['project', 'name', 'other'],
  ['project', 'plans'],
  ['status'],
  ['beliefs'],
  ['hook', 'session-start'],
  ['hook', 'prompt-submit'],
  ['seam', 'recall-here'],
] as const

export const saysSo: Readonly<Record<Marker, RegExp>> = {
  truncated: /agentm-store\.json is corrupt/,
  'not an object': /agentm-store\.json is corrupt/,
  'without id': /agentm-store\.json is corrupt/,
  'a directory': /agentm-store\.json is corrupt/,
  foreign: /the one that is there is another|has the id another/,
  absent: /holds no _meta\/agentm-store\.json/,
}

async function must(world: CliWorld, args: readonly string[]): Promise<void> {
  const { code, err } = await world.agentm(args)
  if (code !== 0) throw new Error(`agentm ${args.join(' ')}: ${err}`)
}
