/**
 * Strings shaped like passwords and keys. A note syncs, is recalled into prompts and stays for years, so a secret in it is a
 * leak. Only shapes with little room for doubt count: hashes, ids, placeholders and examples from manuals are left alone.
 */
export interface FoundSecret {
  /** Such as `github-token`. */
  readonly kind: string
  readonly start: number
  readonly end: number
}

export function findSecrets(text: string): readonly FoundSecret[] {
  const found = shapes.flatMap(({ kind, pattern, group = 0 }) =>
    [...text.matchAll(pattern)].flatMap((match): FoundSecret[] => {
      const value = match[group] ?? ''
      const start = match.index + match[0].lastIndexOf(value)
      return isPlaceholder(value) || (group > 0 && isReference(value))
        ? []
        : [{ kind, start, end: start + value.length }]
    }),
  )
  return withoutOverlap(found)
}

export function redactSecrets(text: string): string {
  return findSecrets(text).reduceRight(
    (now, { kind, start, end }) => `${now.slice(0, start)}[redacted: ${kind}]${now.slice(end)}`,
    text,
  )
}

interface Shape {
  readonly kind: string
  readonly pattern: RegExp
  /** The part of the match that is the secret. */
  readonly group?: number
}

const before = '(?<![A-Za-z0-9_-])'
const after = '(?![A-Za-z0-9_-])'

const shapes: readonly Shape[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  shape('aws-access-key', '(?:AKIA|ASIA)[A-Z2-7]{16}'),
  shape('github-token', 'gh[pousr]_[A-Za-z0-9]{36,}'),
  shape('github-token', 'github_pat_[A-Za-z0-9_]{60,}'),
  shape('gitlab-token', 'gl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{20,}'),
  shape('slack-token', 'xox[abeoprs]-[A-Za-z0-9-]{20,}'),
  { kind: 'slack-webhook', pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{30,}/g },
  shape('stripe-key', '(?:sk|rk)_live_[A-Za-z0-9]{20,}'),
  shape('anthropic-key', 'sk-ant-[a-z0-9]+-[A-Za-z0-9_-]{40,}'),
  shape('openai-key', 'sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}'),
  shape('openai-key', 'sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}'),
  shape('openai-key', 'sk-(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{48}'),
  shape('google-api-key', 'AIza[A-Za-z0-9_-]{35}'),
  shape('google-oauth-secret', 'GOCSPX-[A-Za-z0-9_-]{28}'),
  shape('npm-token', 'npm_[A-Za-z0-9]{36}'),
  shape('pypi-token', 'pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}'),
  shape('huggingface-token', 'hf_[A-Za-z0-9]{34}'),
  shape('digitalocean-token', 'do[opr]_v1_[a-f0-9]{64}'),
  shape('sendgrid-key', 'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'),
  shape('telegram-bot-token', '\\d{8,10}:AA[A-Za-z0-9_-]{33}'),
  shape('age-secret-key', 'AGE-SECRET-KEY-1[0-9A-Z]{58}'),
  shape('jwt', 'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{20,}'),
  {
    kind: 'azure-storage-key',
    pattern: /AccountKey=([A-Za-z0-9+/]{86}==)/g,
    group: 1,
  },
  {
    kind: 'password-in-url',
    pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/?#]*:([^\s:@/?#]{4,})@[^\s@]/gi,
    group: 1,
  },
  {
    kind: 'bearer-token',
    pattern: /\b(?:authorization\s*[:=]\s*["']?)(?:bearer|basic|token)\s+([A-Za-z0-9._~+/-]{20,}=*)/gi,
    group: 1,
  },
  {
    kind: 'assigned-secret',
    // A name that says what it is, and a value that looks made by a machine.
    pattern:
      /(?:secret|password|passwd|passphrase|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|client[_-]?secret|private[_-]?key)["']?[ \t]*(?::=|=>|[:=])[ \t]*["']?(?=[^\s"']*[0-9])(?=[^\s"']*[A-Za-z])([A-Za-z0-9_+/=.~!@#%^&*-]{12,})(?!\()/gi,
    group: 1,
  },
]

function shape(kind: string, source: string): Shape {
  return { kind, pattern: new RegExp(before + source + after, 'g') }
}

const placeholderWords =
  /example|sample|placeholder|your[_-]|dummy|changeme|change-me|redacted|not-?a-?real|fake|test-?key|process\.env|import\.meta|os\.environ/i

/** What manuals and templates write where a secret would stand. */
function isPlaceholder(value: string): boolean {
  if (placeholderWords.test(value) || /^\$?\{|\$\{|\{\{|^<|>$|^%[A-Z_]+%$|^\$[A-Z_]/.test(value)) return true
  const body = value.replace(/^[A-Za-z]+[-_]+(?:[a-z0-9]+[-_]+)?/, '')
  return new Set(body.slice(-16)).size < 4
}

/** Code that names where the value comes from, such as `config.auth.token2`. */
function isReference(value: string): boolean {
  return /^[A-Za-z_]+(?:\.[A-Za-z_][A-Za-z0-9_]*)+$/.test(value)
}

function withoutOverlap(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const kept: FoundSecret[] = []
  for (const each of sorted) if (each.start >= (kept.at(-1)?.end ?? 0)) kept.push(each)
  return kept
}
