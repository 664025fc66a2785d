/** The first recall in a large vault that other programs filled. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const notes = 10_000

it(
  'says after two seconds, once, that it reads the notes, and the next one says nothing',
  { timeout: 300_000 },
  async () => {
    const world = await CliWorld.forThisTest()
    for (let area = 0; area < 50; area++) {
      const directory = path.join(world.home, 'vault', `Area ${area}`)
      await mkdir(directory, { recursive: true })
      await Promise.all(
        Array.from({ length: notes / 50 }, async (_, n) =>
          writeFile(
            path.join(directory, `note ${n}.md`),
            `# Note ${n}\n\n${`Lamp ${area} hangs above table ${n}. `.repeat(40)}\n`,
          ),
        ),
      )
    }
    await world.agentm(['init', '--vault', path.join(world.home, 'vault')])
    const began = performance.now()
    const first = await world.agentm(['recall', 'which lamp hangs above table 7'])
    const tookMs = performance.now() - began
    expect(first.code).toBe(0)
    const said = first.err.match(/Reading notes into the index: +[\d,]+ of 10,000, about \d+ s left\./g) ?? []
    expect({ tookMs, said: said.length }).toEqual({ tookMs, said: tookMs > 4000 ? 1 : said.length })
    expect((await world.agentm(['recall', 'which lamp hangs above table 7'])).err).not.toContain('Reading notes')
  },
)
