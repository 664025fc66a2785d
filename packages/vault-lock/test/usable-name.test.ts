import { expect, it } from 'vitest'
import { refuseUnusableName } from '../src/pure/usable-name.ts'

const attempt = (name: string, platform: string) => () => refuseUnusableName(`notes/${name}`, name, platform)

const unusable = [
  'CON',
  'nul.md',
  'Com1.txt',
  'LPT9',
  'com¹',
  'lpt³.md',
  'CONIN$',
  'conout$.x',
  'aux .md',
  'prn',
].concat(
  ['a:b.md', 'C:', 'what?.md', 'a*b', 'a<b', 'a|b', 'a"b', 'tab\there'],
  ['ends with a dot.', 'ends with a blank ', '...', 'n'.repeat(256)],
)

it.each(unusable)('refuses %j on Windows, where it would name another place, and nowhere else', (name) => {
  expect(attempt(name, 'win32')).toThrow(expect.objectContaining({ code: 'INVALID_LOCATOR' }))
  expect(attempt(name, 'linux')).not.toThrow()
})

it.each(['console.md', 'nullable', 'com10.md', 'a.con', 'auxiliary', '.hidden.md', 'a b.md', 'é.md', 'n'.repeat(255)])(
  'keeps %j everywhere',
  (name) => {
    for (const platform of ['win32', 'linux', 'darwin']) expect(attempt(name, platform)).not.toThrow()
  },
)
