import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { errorsDocument, faultsOf, knownErrors } from '../print-errors.mjs'

const errors = knownErrors()

it('finds the errors of every package that has some, also those with one class for many codes', () => {
  const codes = errors.map(({ package: name, code }) => `${name} ${code}`)
  expect(codes).toEqual(
    expect.arrayContaining(['storage-seam NOT_FOUND', 'nodes-postgres OUTCOME_UNKNOWN', 'harness FENCED', 'cli USAGE']),
  )
})

it('has a cause and a cure for each, and no cure for what does not exist', () => {
  expect(faultsOf(errors)).toEqual([])
})

it('names an error without comment and without cure', () => {
  const planted = { package: 'nodes', name: 'PlantedError', code: 'PLANTED', cause: '' }
  expect(faultsOf([...errors, planted]).filter((fault) => fault.includes('PLANTED'))).toEqual([
    'nodes PLANTED: no cure in tools/errors/cures.mjs',
    'nodes PLANTED: PlantedError has no comment that says when it is thrown',
  ])
})

it('is in docs/reference/errors.md as the sources have it now', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/reference/errors.md'), 'utf8')
  expect(text).toBe(errorsDocument(errors))
})
