import { expect, it } from 'vitest'
import { must } from '../src/must.ts'

it('shows what is in a set that is not the one it wanted', () => {
  expect(() => must.equal(new Set(['LOCK_LOST']), new Set(['NOT_FOUND']), 'the codes')).toThrow(
    'the codes: wanted ["NOT_FOUND"], got ["LOCK_LOST"]',
  )
})
