/** Commands that only look: on a machine where nothing was ever kept, they say so and leave it as it is. */
import { readdir } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { CliWorld } from './cli-world.ts'

const patience = { timeout: 180_000 }

async function made(): Promise<CliWorld> {
  const cli = await CliWorld.make()
  onTestFinished(() => cli.remove())
  return cli
}

/** Whatever is in the home, but for the checkout. */
async function everything({ home }: CliWorld): Promise<readonly string[]> {
  const found = await readdir(home, { recursive: true })
  return found.filter((name) => !name.startsWith('repo'))
}

const looks: readonly (readonly [line: string, code: number, said: string])[] = [
  ['agents', 0, 'There are no agents yet.'],
  ['agents show x', 1, 'ABSENT_NODE'],
  ['status', 0, 'There are no plans yet.'],
  ['replay x', 1, 'ABSENT_NODE'],
  ['recall anything', 0, 'Nothing found.'],
  ['history x', 1, 'NOTE_ABSENT'],
  ['lint', 0, '0 notes, 0 errors, 0 warnings'],
  ['beliefs', 0, 'There are no beliefs yet.'],
  ['beliefs show x', 1, 'NOTE_ABSENT'],
  ['consolidate --dry-run --all --explain', 0, 'There is nothing to learn from yet.'],
]

it('make nothing where there is nothing', patience, async () => {
  const cli = await made()
  for (const [line, code, said] of looks) {
    const [ran, data] = await Promise.all([cli.agentm(line.split(' ')), cli.json(line.split(' '))])
    expect([line, ran.code]).toEqual([line, code])
    expect(ran.out + ran.err).toContain(said)
    expect([line, 'error' in data]).toEqual([line, code !== 0])
    expect([line, await everything(cli)]).toEqual([line, []])
  }
})

it('the same commands look where something is', patience, async () => {
  const cli = await made()
  expect((await cli.agentm(['save', 'The deploy key is rotated every March.'])).code).toBe(0)
  expect((await cli.agentm(['recall', 'deploy key'])).out).toContain('rotated every March')
  expect((await cli.agentm(['lint'])).out).toContain('1 notes')
  expect((await cli.agentm(['consolidate', '--dry-run'])).out).toContain('nothing to learn from yet')
  expect((await cli.agentm(['beliefs'])).out).toContain('There are no beliefs yet.')
})

it('looking at a store that was named and is gone is refused, not answered with nothing', patience, async () => {
  const cli = await made()
  expect((await cli.agentm(['save', 'Something to keep.'])).code).toBe(0)
  const config = JSON.parse(await cli.read('.claude/.agentm-config.json')) as Readonly<Record<string, unknown>>
  const other = await made()
  await other.file('.claude/.agentm-config.json', JSON.stringify(config))
  const ran = await other.agentm(['recall', 'something'])
  expect(ran.code).toBe(1)
})
