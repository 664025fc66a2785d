import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { decisionIn, decisions, decisionsDocument } from '../print-decisions.mjs'

it('every decision record says when to look again', () => {
  expect(decisions().filter(({ trigger }) => trigger === undefined)).toEqual([])
})

it('the list of decisions is what the records say', () => {
  const file = path.resolve(import.meta.dirname, '../../docs/decisions/README.md')
  expect(readFileSync(file, 'utf8')).toBe(decisionsDocument(decisions()))
})

it('finds the trigger in the last paragraph that has one, and says where there is none', () => {
  expect(decisionIn('a.md', '# A\n\nText.\n\n**Look again when** the sun\nsets.\n')).toEqual({
    name: 'a.md',
    title: 'A',
    trigger: 'the sun sets.',
  })
  expect(decisionIn('b.md', '# B\n\nText.\n').trigger).toBeUndefined()
})
