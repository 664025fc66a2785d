import { expect, it } from 'vitest'
import { wrapped } from '../src/pure/wrapped.ts'

it.each<readonly [what: string, text: string, width: number | undefined, expected: string]>([
  ['leaves a line that fits', 'one two three', 20, 'one two three'],
  ['breaks at words', 'one two three four', 9, 'one two\nthree\nfour'],
  ['continues below the text of a line', '  one two three', 10, '  one two\n  three'],
  [
    'leaves a word that is wider than the screen whole',
    'see https://example.com/very/long now',
    12,
    'see\nhttps://example.com/very/long\nnow',
  ],
  [
    'keeps a command on one line, so that it can be copied',
    '  agentm config set models.url http://x',
    12,
    '  agentm config set models.url http://x',
  ],
  ['keeps a command of npx on one line', 'npx @agentm/cli config set a b', 12, 'npx @agentm/cli config set a b'],
  ['keeps columns, and the line breaks there are', 'a    b\n\nc    d', 20, 'a    b\n\nc    d'],
  ['breaks nothing where there is no screen', 'one two three four', undefined, 'one two three four'],
  ['does not count colours', '\u001B[2mone\u001B[0m two', 7, '\u001B[2mone\u001B[0m two'],
])('%s', (_, text, width, expected) => {
  expect(wrapped(text, { width })).toBe(expected)
})

it('indents continued lines by the given number of columns', () => {
  expect(wrapped('  --flag  one two three', { width: 21, hanging: 10 })).toBe('  --flag  one two\n          three')
})
