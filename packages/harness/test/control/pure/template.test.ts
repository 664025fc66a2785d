import { describe, expect, it } from 'vitest'
import { expressionsIn, filled, templatesIn } from '../../../src/control/pure/template.ts'
import { stepOutput } from '../../../src/control/pure/step-output.ts'
import { textsOfKind } from '../../../src/control/pure/texts-of-kind.ts'

const scope = { item: { host: 'a', port: 80, tags: ['x'] }, input: { none: null } }

it('gives a text that is one reference its value, and puts values into longer texts', () => {
  const given = {
    whole: '${{ item.tags }}',
    part: 'http://${{ item.host }}:${{ item.port }}/',
    list: ['${{item.port}}', '$HOME'],
  }
  expect(filled(given, scope)).toEqual({ whole: ['x'], part: 'http://a:80/', list: [80, '$HOME'] })
  expect(filled('tags: ${{ item.tags }}', scope)).toBe('tags: ["x"]')
})

it('writes the signs of a reference if it is asked to', () => {
  expect(filled('a ${{ "${{" }} b }}', scope)).toBe('a ${{ b }}')
})

it('never puts the word null into a command', () => {
  expect(() => filled('rm -r ${{ input.none }}/', scope)).toThrow('${{ input.none }} has no value here')
  expect(() => filled('${{ item.nope }}', scope)).toThrow('${{ item.nope }} has no value here')
})

it('finds every reference with its place, and refuses what is not closed', () => {
  expect(templatesIn({ a: ['x', '${{ item }}'], b: 3, c: null })).toEqual([{ path: ['a', 1], text: '${{ item }}' }])
  expect(expressionsIn('${{ item }} and ${{ index }}')).toHaveLength(2)
  expect(() => expressionsIn('a ${{ item')).toThrow(new SyntaxError('${{ has no closing }}'))
  expect(() => expressionsIn('a ${{ }}')).toThrow(SyntaxError)
})

describe('the output of a step', () => {
  it.each([
    ['command', { exitCode: 0, stdout: '{"a":1}\n', stderr: '' }, { a: 1 }],
    ['command', { exitCode: 0, stdout: 'two words\n', stderr: '' }, 'two words'],
    ['agent', { text: '[1, 2]', stop: 'replied' }, [1, 2]],
    ['http', { status: 200, body: { ok: true } }, { ok: true }],
    ['approval', { answer: 'approve', actor: 'ada' }, 'approve'],
    ['module', { value: 3 }, 3],
    ['function:release', {}, null],
    ['module', { files: 3 }, { files: 3 }],
    ['command', undefined, null],
  ])('of kind %s', (kind, result, output) => expect(stepOutput(kind, result)).toEqual(output))
})

it('makes text of values where a kind wants text', () => {
  const input = { command: 'x', args: ['a', 80, { b: 1 }], environment: { PORT: 80 }, stdin: [1], other: 3 }
  expect(textsOfKind('command', input)).toEqual({
    command: 'x',
    args: ['a', '80', '{"b":1}'],
    environment: { PORT: '80' },
    stdin: '[1]',
    other: 3,
  })
  expect(textsOfKind('http', { url: 'u', body: 80 })).toEqual({ url: 'u', body: 80 })
  expect(textsOfKind('constructor', { url: 3 })).toEqual({ url: 3 })
})
