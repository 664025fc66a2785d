import { expect, test } from 'vitest'
import { findSecrets, redactSecrets } from '@agentm/memory'

// Made here, piece by piece, so that no scanner takes this file for a leak.
const body = (length: number, alphabet = 'aB3dE5gH7jK9mN2pQ4sT6vW8xY1z') =>
  Array.from({ length }, (_, i) => alphabet[(i * 11 + 3) % alphabet.length]).join('')
const upper = (length: number) => body(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')

const secrets: [string, string][] = [
  ['aws-access-key', `AKIA${upper(16)}`],
  ['github-token', `ghp_${body(36)}`],
  ['github-token', `github_pat_${body(82)}`],
  ['gitlab-token', `glpat-${body(20)}`],
  ['slack-token', `xoxb-${body(12, '0123456789')}-${body(24)}`],
  ['stripe-key', `sk_live_${body(24)}`],
  ['anthropic-key', `sk-ant-api03-${body(95)}`],
  ['openai-key', `sk-proj-${body(48)}`],
  ['openai-key', `sk-${body(48)}`],
  ['google-api-key', `AIza${body(35)}`],
  ['npm-token', `npm_${body(36)}`],
  ['huggingface-token', `hf_${body(34)}`],
  ['sendgrid-key', `SG.${body(22)}.${body(43)}`],
  ['jwt', `eyJ${body(20)}.eyJ${body(30)}.${body(43)}`],
  ['private-key', `-----BEGIN OPENSSH PRIVATE KEY-----\n${body(64)}\n-----END OPENSSH PRIVATE KEY-----`],
  ['password-in-url', `postgres://ada:${body(14)}@db.internal/app`],
  ['bearer-token', `Authorization: Bearer ${body(40)}`],
  ['assigned-secret', `password = "${body(16)}"`],
  ['assigned-secret', `client_secret: ${body(20)}`],
]
test.each(secrets)('finds a %s', (kind, secret) => {
  const text = `before ${secret} after`
  expect(findSecrets(text).map((found) => found.kind)).toEqual([kind])
  const redacted = redactSecrets(text)
  expect(redacted).toContain(`[redacted: ${kind}]`)
  expect(redacted).not.toContain(body(12))
  expect(redacted.startsWith('before ')).toBe(true)
})

const lookAlikes = [
  `commit ${body(40, '0123456789abcdef')}`,
  `sha512-${body(86)}==`,
  'id 3f2b8c1e-9d4a-4f6b-8e7c-1a2b3c4d5e6f',
  'AKIAIOSFODNN7EXAMPLE is the key of the manual',
  `ghp_${'x'.repeat(36)}`,
  'ghp_xxxx stands for your token',
  'sk-learn-contrib-and-other-packages-are-fine-here-really',
  'npm_config_registry and npm_package_version',
  'password: ${DB_PASSWORD}',
  'password = "correct horse"',
  'the password is rotated every 30 days',
  'api_key = process.env.OPENAI_API_KEY_2',
  'token = getTokenFromVault2(name)',
  'https://example.org:8443/path@2',
  'git@github.com:ada/engine.git',
  'postgres://localhost:5432/app',
  'the header is Authorization: Bearer <token>',
  'xoxb-not-a-token',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  `data:image/png;base64,${body(120)}`,
  'secret: see 1Password entry 42',
  'eyJhbGciOiJIUzI1NiJ9 is how a JWT begins',
]
test.each(lookAlikes)('leaves alone: %s', (text) => {
  expect(findSecrets(text)).toEqual([])
})

test('takes time in proportion to the text', () => {
  const started = process.hrtime.bigint()
  findSecrets(
    `password${'='.repeat(20_000)}${'a1'.repeat(20_000)} ${'eyJa.'.repeat(10_000)} ${'-----BEGIN PRIVATE KEY-----'.repeat(500)}`,
  )
  expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(10_000)
})
