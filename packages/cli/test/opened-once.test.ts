import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const counter = fileURLToPath(new URL('../../../tools/count-opens.mjs', import.meta.url))

interface Counts {
  readonly files: Readonly<Record<string, number>>
  readonly databases: readonly string[]
  readonly modules: number
}

it.each([
  ['save', ['save', 'Staging listens on port 5433', '--kind', 'fact'], ['agentm.notes.db', 'agentm.db', 'agentm.db']],
  ['recall', ['recall', 'staging'], ['agentm.db', 'agentm.db', 'agentm.notes.db']],
  ['status', ['status'], ['agentm.db', 'agentm.db']],
])(
  '%s reads the config once, and opens the log once: a connection that writes and one that reads',
  async (_, args, log) => {
    const world = await CliWorld.forThisTest()
    await world.agentm(['init', '--yes'])
    await world.agentm(['save', 'The harbour closes at nine.', '--kind', 'fact'])
    world.variables['AGENTM_COUNTS'] = path.join(world.home, 'counts.json')
    world.variables['NODE_OPTIONS'] = `--import=${counter}`
    expect(await world.agentm(args)).toMatchObject({ code: 0 })
    const counts = JSON.parse(await readFile(path.join(world.home, 'counts.json'), 'utf8')) as Counts
    const config = Object.entries(counts.files).filter(([file]) => file.endsWith('.agentm-config.json'))
    expect(config.map(([, times]) => times)).toEqual([1])
    // Two are opened side by side, in either order.
    expect(counts.databases.map((file) => path.basename(file)).toSorted()).toEqual(log.toSorted())
    expect(counts.modules).toBeGreaterThan(10)
  },
)
