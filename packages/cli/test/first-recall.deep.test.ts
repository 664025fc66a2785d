/** The first recalls in a large vault that other programs filled. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const notes = 10_000

it(
  'says at most once that it reads the notes, and nothing any more when all are read',
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
    const recall = async () => world.agentm(['recall', 'which lamp hangs above table 7'])
    // A busy machine reads fewer notes in the time that an answer may take, and the next recall goes on from there.
    let answer = await recall()
    for (let i = 0; i < 20 && answer.err.includes('Reading notes'); i++) {
      expect(
        answer.err.match(/Reading notes into the index: +[\d,]+ of [\d,]+\b.*This is needed only once/g),
      ).toHaveLength(1)
      answer = await recall()
    }
    expect(answer).toMatchObject({ code: 0, err: expect.not.stringContaining('Reading notes') })
    expect(answer.out).toContain('above table 7')
  },
)
