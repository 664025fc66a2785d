import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'
import { whatTheHookSays } from './hook-floor.ts'

it('the prompt hook is silent at ordinary prompts and shows the note that answers', { timeout: 120_000 }, async () => {
  const { ordinary, answered } = await whatTheHookSays({ notes: 40, ordinary: 20, answered: 10 })
  expect(ordinary).toBeLessThanOrEqual(0.1)
  expect(answered).toBeGreaterThanOrEqual(0.8)
})

it('each line of the prompt hook says where it comes from, and copies are one line', { timeout: 60_000 }, async () => {
  const world = await CliWorld.forThisTest()
  const text = 'The staging certificate is renewed by hand with certctl on the bastion host of the vendor.\n'
  await world.agentm(['save', text, '--kind', 'fact'])
  for (const name of ['a', 'b']) await world.file(`.agentm/memory/Diary/${name}.md`, `# Bastion ${name}\n\n${text}`)
  await world.file(
    '.agentm/memory/Diary/c.md',
    '# Staging\n\nThe certificate of staging expires in May; renew it with certctl.\n',
  )
  const input = JSON.stringify({ cwd: world.repo, prompt: 'how is the staging certificate renewed with certctl?' })
  const { out } = await world.agentm(['hook', 'prompt-submit', '--within', '60000'], input)
  const lines = out.split('\n').filter((line) => line.startsWith('- '))
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).toMatch(/^- (?:a person's|an agent's|a) note \[/)
})
