import { describe, expect, it } from 'vitest'
import { setup } from '../world.ts'

const note = (created: string, text: string) => `---\nkind: note\ncreated: ${created}\n---\n\n${text}\n`

const linters = {
  first: note('2025-03-01', 'The linter is Alpha.'),
  second: note('2025-06-20', 'We switched the linter to Bravo.'),
  third: note('2025-09-10', 'From now on the linter is Charlie, and Bravo is retired.'),
  canteen: note('2025-06-25', 'The canteen closes at two.'),
}
const migration = note('2025-07-01', 'The cluster migration is finished.')

async function ask(notes: Readonly<Record<string, string>>, text: string) {
  const { write, keys } = await setup()
  for (const [name, content] of Object.entries(notes)) await write(`projects/acme/notes/${name}.md`, content)
  return (await keys(text, { floor: 'off' }))
    .map((key) => key.replace(/^.*\/(\w+)\.md$/, '$1'))
    .filter((name) => name in linters)
}

describe('a question about the time before an event', () => {
  it('is answered with the newest note before the note that reports the event', async () => {
    const found = await ask({ ...linters, migration }, 'which linter did we use before the cluster migration?')
    expect(found[0]).toBe('second')
    expect(found.indexOf('third')).toBeGreaterThan(found.indexOf('second'))
  })

  it('stays a question about words, if several notes of different times report such an event', async () => {
    const notes = { ...linters, migration, migrated: note('2024-11-01', 'The cluster migration is finished.') }
    const words = await ask(notes, 'which linter did we use beside the cluster migration?')
    expect(await ask(notes, 'which linter did we use before the cluster migration?')).toEqual(words)
  })

  it('means the event of the project that the question names', async () => {
    const notes = {
      ...linters,
      harbor: note('2025-07-01', 'Release 4.0 of Harbor is out.'),
      willow: note('2024-11-01', 'Release 4.0 of Willow is out.'),
    }
    expect((await ask(notes, 'which linter did Harbor use before release 4.0?'))[0]).toBe('second')
  })
})

it('puts the answer before the notes that only report the event, and before reports of its like', async () => {
  const others = Object.fromEntries(
    ['Willow', 'Quill', 'Basalt'].map((project, i) => [
      project,
      note(`2025-0${i + 4}-20`, `The cluster migration of ${project} is finished.`),
    ]),
  )
  const own = Object.fromEntries(
    Object.entries(linters).map(([name, text]) => [name, text.replace(/linter is/i, 'linter of Harbor is')]),
  )
  const notes = { ...own, ...others, migration: note('2025-07-01', 'The cluster migration of Harbor is finished.') }
  const { write, keys } = await setup()
  for (const [name, content] of Object.entries(notes)) await write(`projects/acme/notes/${name}.md`, content)
  const found = await keys('which linter did Harbor use after the cluster migration?', { floor: 'off' })
  expect(found[0]).toBe('projects/acme/notes/third.md')
  const happened = await keys('what happened after the cluster migration of Harbor?', { floor: 'off' })
  expect(happened[0]).toBe('projects/acme/notes/migration.md')
})

it('prefers notes after an event, if the question asks for them', async () => {
  const notes = { ...linters, first: note('2025-03-01', 'We switched the linter to Zulu.'), migration }
  const found = await ask(notes, 'to what did we switch the linter after the cluster migration?')
  const before = await ask(linters, 'to what did we switch the linter after the cluster migration?')
  expect(found.indexOf('third')).toBeLessThanOrEqual(before.indexOf('third'))
})
