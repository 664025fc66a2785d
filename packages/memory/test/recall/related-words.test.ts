import { expect, test } from 'vitest'
import { setup } from '../world.ts'

const related = (word: string) => (word === 'doctor' ? [{ word: 'physician', likeness: 0.8 }] : [])
const note = '---\nkind: note\ncreated: 2026-02-27\n---\n\n# Visits\n\nThe physician comes on Monday.\n'

test('finds a note by a word that stands for one of the question', async () => {
  const { write, keys } = await setup({ relatedWords: related })
  await write('projects/acme/a.md', note)
  expect(await keys('Is there a doctor?', { floor: 'off' })).toEqual(['projects/acme/a.md'])
  // It counts as evidence, too, for less than the word itself.
  expect(await keys('When does the doctor come on Monday?')).toEqual(['projects/acme/a.md'])
  expect(await keys('Is there a doctor?', { floor: 'strict' })).toEqual([])
})

test('finds nothing that shares no word, if it knows no related words', async () => {
  const { write, keys } = await setup()
  await write('projects/acme/a.md', note)
  expect(await keys('Is there a doctor?', { floor: 'off' })).toEqual([])
})
