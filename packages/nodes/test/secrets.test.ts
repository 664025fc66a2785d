import { expect, test } from 'vitest'
import { findSecrets, redactSecrets, redactValue } from '@agentm/nodes'
import { body, honestTexts, secretSamples } from './secret-samples.ts'

test.each(secretSamples)('a %s is redacted', (_, secret) => {
  const redacted = redactSecrets(`before ${secret} after`)
  expect(redacted).toContain('[redacted: ')
  expect(redacted).not.toContain(body(12))
  expect(redacted.startsWith('before ')).toBe(true)
})

test.each(secretSamples)('a %s is redacted on a line of its own', (_, secret) => {
  expect(redactSecrets(`first\n${secret}\nlast`)).toMatch(/^first\n[\s\S]*\[redacted: /)
})

test.each(honestTexts)('left alone: %s', (text) => {
  expect(redactSecrets(text)).toBe(text)
})

test('what is redacted once stays as it is', () => {
  for (const [, secret] of secretSamples) {
    const once = redactSecrets(secret)
    expect(redactSecrets(once)).toBe(once)
  }
})

test('in a value, what stands under the name of a secret is redacted, whatever it looks like', () => {
  const given = {
    url: 'https://db',
    auth: { user: 'ada', password: ['sword', 'fish'].join('') },
    rows: [1, 2],
    token: 'word',
  }
  expect(redactValue(given)).toEqual({ ...given, auth: { user: 'ada', password: '[redacted: password]' } })
})

test('a value with nothing to redact is the very same one', () => {
  const given = { text: 'nothing here', list: ['a', { b: 'c' }], vector: [0.1, 0.2], absent: undefined }
  expect(redactValue(given)).toBe(given)
})

const hostile = [
  `password${'='.repeat(20_000)}${'a1'.repeat(20_000)}`,
  'eyJa.'.repeat(20_000),
  ['-----BEGIN PRI', 'VATE KEY-----'].join('').repeat(3000),
  'a.'.repeat(50_000),
  '://a:'.repeat(20_000),
  'cookie: '.repeat(12_000),
  'password is '.repeat(10_000),
  'password for a b c d e '.repeat(5000),
  'token: '.repeat(15_000),
  `api_key${' '.repeat(100_000)}`,
  'sk-'.repeat(30_000),
  'eyJaaaaaaaa.'.repeat(8000),
  'A'.repeat(100_000),
  `AAAAAAAAAAAAAAAAAAAAA${'a%'.repeat(50_000)}`,
  'curl -u '.repeat(12_000),
  '0/1'.repeat(30_000),
  'aB3.'.repeat(25_000),
  'user a password '.repeat(6000),
  'SG.aaaaaaaaaaaaaaaaaaaa.'.repeat(4000),
]
test.each(hostile.map((text) => [text.slice(0, 24), text]))('takes time in proportion to the text: %s…', (_, text) => {
  timeOf(text.slice(0, 1000))
  expect(timeOf(text)).toBeLessThan(1000)
})

function timeOf(text: string): number {
  const started = performance.now()
  findSecrets(text)
  return performance.now() - started
}
