import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { playPage } from '../pages/play-page.mjs'
import { openStages, playedPages } from '../pages/stages.mjs'

const root = path.resolve(import.meta.dirname, '../..')
let stages: Awaited<ReturnType<typeof openStages>>

beforeAll(async () => {
  stages = await openStages({ here: false })
}, 300_000)
afterAll(() => stages.close())

async function faultsOf(page: string) {
  const stage = await stages.stageFor(page)
  if ('absent' in stage) return stage
  return (await playPage(page, stage)).flatMap(({ line, fault }) =>
    fault === undefined ? [] : [`line ${line}: ${fault}`],
  )
}

const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`

it('finds a command that fails, and an output that is another', async () => {
  expect(await faultsOf(fence('sh', 'npx @agentm/cli recal x'))).toEqual([
    expect.stringMatching(/^line 1: it ended with 2/),
  ])
  expect(await faultsOf(`${fence('sh', 'npx @agentm/cli notes')}\n${fence('text', 'no such thing')}`)).toEqual([
    expect.stringContaining('the page says\nno such thing'),
  ])
})

it.each(await playedPages())('%s does what it says, with npx alone', async (name) => {
  const faults = await faultsOf(await readFile(path.join(root, name), 'utf8'))
  expect(faults).toEqual([])
})
