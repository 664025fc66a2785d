import { expect, it } from 'vitest'
import { cryptic, findings, onlyTexts, retired } from '../plain-words.mjs'

it('no phrase that needed a second reading is in help, errors, documents or READMEs', () => {
  expect(findings()).toEqual([])
})

it.each([
  ['## Not promised', 'a heading "Limits", and facts under it'],
  ['| `k` | at most so many; 10 where absent |', '(default: …)'],
  ['pause: claim nothing more of a plan; what runs is told', '"is notified", "gets" or "prints"'],
  ['erase what one holds, for good', '"the content of …"'],
  ['It was left as it was.', '"was not changed"'],
  ['Plan what is left.', '"the remaining …" or "unfinished steps"'],
])('finds a planted one: %s', (text, instead) => {
  const found = cryptic(`# A page\n\nFine.\n${text}\n`)
  expect(found).toContainEqual({ line: 4, said: text, instead })
})

it('reads texts of a program, and neither its comments nor its names', () => {
  const source = "/** What one holds. */\n// what one holds\nconst whatIsLeft = 'what one holds'\n"
  expect(cryptic(onlyTexts(source)).map(({ line }) => line)).toEqual([3])
})

it('says for every phrase what to write in its place', () => {
  for (const { instead } of retired) expect(instead).toMatch(/\w/)
})
