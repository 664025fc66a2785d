import { expect, it } from 'vitest'
import { sizeLines } from '../print-sizes.mjs'

it('says how many are of the usual length, and names the long ones, longest first', () => {
  const functions = [5, 8, 12, 41, 90].map((lines) => ({ what: `f${lines}`, lines }))
  const files = [
    { what: 'long.ts', lines: 301 },
    { what: 'short.ts', lines: 20 },
  ]
  expect(sizeLines({ functions, files })).toEqual([
    '5 functions, half of them within 12 lines, 60 % within 15',
    '2 functions over 40 lines',
    '  90  f90',
    '  41  f41',
    '2 files',
    '1 files over 300 lines',
    '  301  long.ts',
  ])
})
