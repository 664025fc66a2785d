import { expect, it } from 'vitest'
import { byCodePoint } from '../src/pure/by-code-point.ts'

it.each([
  ['', '', 0],
  ['', 'a', -1],
  ['a', 'ab', -1],
  ['b', 'ab', 1],
  ['B', 'a', -1],
  ['\u{FF5E}', '\u{1F4DD}', -1],
  ['a\u{1F4DD}b', 'a\u{1F4DD}a', 1],
])('%j against %j is %d, as their bytes are', (a, b, order) => {
  expect(Math.sign(byCodePoint(a, b))).toBe(order)
  expect(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))).toBe(order)
})
