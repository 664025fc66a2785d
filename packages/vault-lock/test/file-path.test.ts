import path from 'node:path'
import { filePath, givenPath, isTemporaryName } from '@agentm/vault-lock'
import { expect, it } from 'vitest'

it.each([
  ['/a/b', '/a/b'],
  ['//a///b/', '/a/b'],
  ['/a/./b/../c', '/a/c'],
  ['/', '/'],
  ['/..', '/'],
])('spells %j as %j', (text, spelt) => expect(filePath(text)).toBe(spelt))

it.each([
  ['', 'empty'],
  ['a/b', 'not absolute'],
  ['~/a', 'not absolute'],
  ['/a\0b', 'NUL'],
  ['/a\ud800', 'surrogate'],
  [undefined as unknown as string, 'text'],
])('refuses %j', (text, why) => {
  expect(() => filePath(text)).toThrow(expect.objectContaining({ code: 'INVALID_PATH' }))
  expect(() => filePath(text)).toThrow(why)
})

it.each([
  ['.~agentm-0123456789-5a2e.tmp', true],
  ['note.md.4711.0123456789abcdef0123456789abcdef.tmp', true],
  ['note.md.tmp', false],
  ['note.md', false],
  ['.tmp', false],
  ['tmp', false],
  ['note.tmp.md', false],
])('knows whether %j is temporary', (name, temporary) => expect(isTemporaryName(name)).toBe(temporary))

it('takes a relative path of an opener from the working directory, and refuses an empty one', () => {
  expect(givenPath('notes')).toBe(path.resolve('notes'))
  expect(() => givenPath('')).toThrow('it is empty')
})
