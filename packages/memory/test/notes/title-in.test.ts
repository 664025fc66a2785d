import { titleIn } from '@agentm/memory/shown'
import { expect, test } from 'vitest'

const long = 'It is long '.repeat(12).trim()

test.each([
  ['# Where locks live\n\nOutside.', 'Where locks live'],
  ['\n\n### Small heading ###\ntext', 'Small heading'],
  ['Locks live outside. They would be replicated.', 'Locks live outside. They would be replicated.'],
  [`${long}, e.g. in v1.2 of it. ${long}.`, `${long}, e.g. in v1.2 of it.`],
  ['- [ ] **Ask Bob** about `x`', 'Ask Bob about `x`'],
  ['> 3. quoted', 'quoted'],
  ['---\n\n東京への旅行', '東京への旅行'],
  ['```ts\nconst a = 1\n```', 'const a = 1'],
  ['<!-- a comment -->\nText', 'Text'],
  ['🚀', '🚀'],
  ['C++ and C#', 'C++ and C#'],
  ['__init__.py is empty', '__init__.py is empty'],
  ['', undefined],
  ['---\n***', undefined],
])('the title of %j is its first line, whole', (text, title) => {
  expect(titleIn(text)).toBe(title)
})

test('a sentence of a page is cut at a word, and says so', () => {
  const title = titleIn('word '.repeat(500)) ?? ''
  expect(title.length).toBeLessThanOrEqual(242)
  expect(title).toMatch(/word …$/)
})
