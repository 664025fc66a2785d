import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const port = { id: 'port', title: 'Staging', text: 'Staging listens on port 5433.' }
const lunch = { id: 'lunch', title: 'Hours', text: 'The shutters go down at two.' }

async function setup() {
  const world = await CliWorld.forThisTest()
  const data = path.join(world.home, 'data')
  await mkdir(data)
  const questions = [
    { id: 'q1', text: 'which port does staging use?', gold: ['port'], kind: 'words' },
    { id: 'q2', text: 'cafeteria food', gold: ['lunch'], kind: 'meaning' },
  ]
  await writeFile(path.join(data, 'corpus.jsonl'), linesOf([port, lunch]))
  await writeFile(path.join(data, 'queries.jsonl'), linesOf(questions))
  const scratch = path.join(world.home, 'scratch')
  await mkdir(scratch)
  world.variables['TMPDIR'] = scratch
  return { world, data, scratch }
}

function linesOf(values: readonly object[]): string {
  return values.map((value) => JSON.stringify(value)).join('\n')
}

describe('agentm eval recall', () => {
  it('measures with the embedder of the user, and compares with an earlier run', async () => {
    const { world, data, scratch } = await setup()
    const first = await world.agentm(['eval', 'recall', '--data', data, '--words-only', '--out', 'words.json'])
    expect(first.err).toBe('')
    expect(first.out).toMatch(/^data: 2 notes, words and time only/)
    expect(first.out).toMatch(/^words +1( +1\.000){5}/m)
    expect(first.out).toMatch(/^meaning +1 +0\.000/m)
    await writeFile(
      path.join(data, 'corpus.jsonl'),
      linesOf([port, { ...lunch, text: 'The cafeteria has food until two.' }]),
    )
    const second = await world.agentm(['eval', 'recall', '--data', data, '--compare', 'words.json'])
    expect(second.out).toMatch(/embedder static-/)
    expect(second.out).toMatch(/^meaning +1( +\+1\.000){5}/m)
    expect(await readdir(scratch)).toEqual([])
  })

  it('leaves the home of the user as it was', async () => {
    const { world, data } = await setup()
    const listed = async () => (await readdir(world.home, { recursive: true })).toSorted()
    const before = await listed()
    expect((await world.agentm(['eval', 'recall', '--data', data])).code).toBe(0)
    expect(await listed()).toEqual(before)
  })

  it('prints the run as data, and asks fewer questions if told to', async () => {
    const { world, data } = await setup()
    const { out } = await world.agentm(['eval', 'recall', '--data', data, '--questions', '1', '--json'])
    expect(JSON.parse(out)).toMatchObject({
      data: 'data',
      notes: 2,
      rows: [{ questions: 1 }],
      questions: [{ id: 'q1' }],
    })
  })

  it('asks each conversation alone, or all together with --pooled', async () => {
    const { world, data } = await setup()
    const text = 'Staging listens on port 5433.'
    const notes = [
      { id: 'a', group: 'g', text },
      { id: 'b', group: 'h', text },
      { id: 'c', group: 'h', text },
    ]
    await writeFile(path.join(data, 'corpus.jsonl'), linesOf(notes))
    const question = { id: 'q', text: 'staging port', gold: ['a', 'b', 'c'], kind: 'any', group: 'g' }
    await writeFile(path.join(data, 'queries.jsonl'), JSON.stringify(question))
    const shareFound = async (more: readonly string[]) => {
      await world.agentm(['eval', 'recall', '--data', data, '--out', 'run.json', '--words-only', ...more])
      return JSON.parse(await readFile(path.join(world.repo, 'run.json'), 'utf8')).rows[0].means.recallAt5
    }
    expect(await shareFound([])).toBeCloseTo(1 / 3)
    expect(await shareFound(['--pooled'])).toBeGreaterThan(0.5)
  })

  it.each([
    [[], '--data is missing'],
    [['--data', 'nowhere'], 'no labelled data at'],
    [['--data', '.', '--compare', 'nowhere.json'], 'nowhere.json cannot be read'],
  ])('refuses %j as wrong usage', async (args, message) => {
    const { world } = await setup()
    const { code, err } = await world.agentm(['eval', 'recall', ...args])
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
