/** Secrets without a recognisable shape, found by the word beside them: `password: x`, `api_key=…`, `Bearer …`. */
import { isPlaceholder } from './placeholder.ts'

export interface LabelledSecret {
  readonly kind: string
  /** The first group that matched is the secret. */
  readonly pattern: RegExp
  readonly isSecret: (value: string, match: RegExpExecArray) => boolean
}

/** A text without one of these words contains no labelled secret. */
export const labelWord = /pass|pwd|secret|token|key|auth|bearer|credential|cookie|session|:\/\/|dsn/i
/** The text between a label and its secret. */
export const labelSign = /[:=]|'s | is | was | will be | has been |bearer |basic | --?[a-z]|login |user /i

const password = '(?:pass(?:word|wd|phrase|code)|pwd|pin[ _-]?code)'
const key =
  '(?:secret(?:[_ -]?(?:access)?[_ -]?key)?|api[_ -]?(?:key|token|secret)|(?:access|account|signing|encryption|master|service|license|app|application|admin|webhook|private|storage|subscription)[_ -]?(?:key|secret)|(?:auth|access|refresh|bearer|personal|security|deploy|bot|id|admin|api|service|user)[_ -]?tokens?|(?<![A-Za-z])token|client[_ -]?secret|credentials?|connection[_ -]?string)'
const quotes = '["\'`\u2018\u2019\u201C\u201D]'
const sign = '[ \\t]{0,8}(?::=|=>|==?|:)[ \\t]{0,8}'

export const labelledSecrets: readonly LabelledSecret[] = [
  {
    kind: 'password-in-url',
    pattern: /:\/\/[^\s:@/?#'"<>]{0,256}:([^\s@/?#'"<>]{1,256})@[^\s@]/g,
    isSecret: (value) => !isPlaceholder(value) && !isStandIn(value),
  },
  {
    kind: 'token-in-url',
    pattern:
      /[?&](?:access_token|refresh_token|id_token|auth_token|token|api_?key|apikey|key|client_secret|password|X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|Signature)=([A-Za-z0-9._~%+/=-]{16,})/gi,
    isSecret: (value) => isMade(value, 16),
  },
  {
    kind: 'bearer-token',
    pattern: /\b(?:bearer|basic|token|apikey|digest)[ \t]+([A-Za-z0-9._~+/-]{16,}=*)/gi,
    isSecret: (value, match) =>
      isMade(value, 16) && (/^bearer/i.test(match[0]) || isHeader(match)) && !/^[a-z-]+$/.test(value),
  },
  {
    kind: 'bearer-token',
    pattern:
      /\b(?:authorization|proxy-authorization)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:[A-Za-z]{3,12}[ \t]+)?([A-Za-z0-9._~+/-]{8,}=*)/gi,
    isSecret: (value) => isMade(value, 8) || /^[A-Za-z0-9+/]{12,}={1,2}$/.test(value),
  },
  {
    kind: 'session-cookie',
    pattern:
      /\b(?:set-)?cookie["']?:[^\n]{0,400}?(?:sess(?:ion)?(?:[_-]?id)?|sid|auth|token|jwt)=([A-Za-z0-9._%+/=-]{16,})/gi,
    isSecret: (value) => isMade(value, 16),
  },
  {
    kind: 'registry-auth',
    pattern: /["']?\b_?auth["']?[ \t]{0,4}[:=][ \t]{0,4}["']?([A-Za-z0-9+/]{12,}={0,2})["'\s,}]/g,
    isSecret: (value) => isMade(value, 12),
  },
  {
    kind: 'registry-auth',
    pattern: /:_(?:authToken|password)=([^\s"']{8,})/g,
    isSecret: (value) => !isPlaceholder(value) && !isReference(value),
  },
  {
    kind: 'password',
    pattern: /\b(?:login|user|username)[ \t]+\S{1,100}[ \t]+password[ \t]+(\S{4,})/g,
    isSecret: (value) => isPassword(value, { isQuoted: false }),
  },
  {
    kind: 'password',
    pattern:
      /(?:^|\s)--?(?:password|passwd|passphrase|pass|token|api-key|secret|auth-token)(?:[ \t]+|=)["']?([^\s"'<>$-][^\s"'<>]{5,})/g,
    isSecret: (value) => isMade(value, 6),
  },
  {
    kind: 'password',
    pattern: /\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[ \t]{0,4}["']?[^\s:"']{1,100}:([^\s"']{4,})/g,
    isSecret: (value) => !isPlaceholder(value) && !isStandIn(value) && !isReference(value),
  },
  {
    kind: 'password',
    pattern: /(?:^|[;\s])(?:pass|pw)=["']?([^\s;"']{6,})/gi,
    isSecret: (value) => isPassword(value, { isQuoted: false }),
  },
  // password: x, "password": "x", DB_PASSWORD=x
  {
    kind: 'password',
    pattern: new RegExp(
      `${password}s?${quotes}?${sign}(?:${quotes}([^\\s"'\`]{4,200})${quotes}|([^\\s"'\`,;]{4,200}))`,
      'gi',
    ),
    isSecret: (value, match) => isPassword(value, { isQuoted: match[1] !== undefined }),
  },
  // my password is x, the password for the database was "x"
  {
    kind: 'password',
    pattern: new RegExp(
      `\\b${password}(?: (?:of|for|to|on|at|in)(?: [\\w.@/-]{1,60}){1,5}?)?(?: is| was| will be| has been set to|'s)(?: now| still| just| set to| actually)?:? (?:${quotes}([^\\s"'\`\u2019\u201D]{4,200})${quotes}|([^\\s"'\`]{4,200}))`,
      'gi',
    ),
    isSecret: (value, match) =>
      match[1] === undefined
        ? isSaid(value, match)
        : isPassword(value, { isQuoted: true }) && (/[^a-z]/.test(value) || value.length > 5) && !value.startsWith('-'),
  },
  // api_key=…, "secret": "…", HEROKU_API_KEY: …, x-api-key: …
  {
    kind: 'assigned-secret',
    pattern: new RegExp(
      `${key}${quotes}?(?:${sign}| is | was )${quotes}?([A-Za-z0-9_+/=.~!@#%^&*:-]{12,})(?!\\()`,
      'gi',
    ),
    isSecret: (value, match) => !isOtherToken(match) && isKey(value, 12),
  },
  // Names in capitals, as in environment variables.
  {
    kind: 'assigned-secret',
    pattern:
      /\b[A-Z][A-Z0-9_]{0,60}_(?:TOKEN|SECRET|PASS|PASSWD|PASSWORD|PWD|APIKEY|API_KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|KEY|PAT|AUTH|CREDENTIALS|DSN)["']?[ \t]{0,4}[=:][ \t]{0,4}["']?([A-Za-z0-9_+/=.~!@#%^&*-]{6,})/g,
    isSecret: (value, match) =>
      /PASS|PWD/.test(match[0].slice(0, match[0].lastIndexOf(value))) ? isMade(value, 6) : isKey(value, 8),
  },
]

const names =
  /^(?:.*[._ -])?(?:(password|passwd|passphrase|passcode|pwd)|(secret|client_?secret|api_?key|api_?token|access_?token|auth_?token|refresh_?token|bearer_?token|private_?key|secret_?key|access_?key|secret_?access_?key|authorization|token|cookie|x-api-key))$/i
const camel =
  /[a-z](?:(Password|Passphrase)|(Secret|ApiKey|ApiToken|AccessToken|AuthToken|RefreshToken|PrivateKey|SecretKey|AccessKey))$/

/** The kind of secret that a value under this name is; `undefined` if the name suggests none or the value is clearly not a secret. */
export function secretName(name: string, value: string): string | undefined {
  if (value.length < 4 || name.length > 80 || !labelWord.test(name)) return undefined
  const [, strong, weak] = names.exec(name) ?? camel.exec(name) ?? []
  if (strong !== undefined)
    return value.length >= 4 && !/\s/.test(value) && !isPlaceholder(value) && !isReference(value) && !isStandIn(value)
      ? 'password'
      : undefined
  return weak !== undefined && isMade(value.replace(/^[A-Za-z]+ /, ''), 12) ? 'assigned-secret' : undefined
}

/** Ordinary words that appear in place of a password, in manuals, forms, types and complaints. */
const ordinaryWords = new Set(
  [
    'required optional string str text none null nil undefined true false yes no missing wrong incorrect',
    'invalid valid expired hidden reset changed unset empty blank field input prompt byte bytes number integer',
    'any unknown never void object masked encrypted hashed stored same unchanged generated random secret',
    'password passwd pass token user username admin root guest postgres test testing dev local localhost',
    'default value see the this that here below above todo tbd n/a set not hash salt plain env file stdin ask',
    'auto disabled enabled forgotten rotated compromised needed used kept sent shown known given protected',
    'login help policy manager rules strength length foo bar baz hello',
  ].flatMap((line) => line.split(' ')),
)

function isStandIn(value: string): boolean {
  const word = value.replace(/[.,;:!?)\]}]+$/, '').toLowerCase()
  return ordinaryWords.has(word) || /^(?:varchar.*|x+|\*+|[.-]*|_+)$/.test(word)
}

/** Whether a value is code that refers to the secret, such as `config.auth.token2`, `getpass()` or `$PASSWORD`. */
function isReference(value: string): boolean {
  return (
    /^[A-Za-z_$][\w$]*(?:(?:\?|!)?\.[A-Za-z_$][\w$]*)+[;,)]*$/.test(value) ||
    /^[$%@&]|[()[\]{}<>]|^\/|^\.{1,2}\/|^~\/|::|\|/.test(value) ||
    /^(?:vault|env|file|op|secret|ref|arn|https?|ssm|gcp|aws|keyring|pass):/i.test(value)
  )
}

function isPassword(given: string, { isQuoted }: { readonly isQuoted: boolean }): boolean {
  const value = isQuoted ? given : given.replace(/[.,;:!?)\]}]+$/, '')
  if (value.length < 4 || isPlaceholder(value) || isReference(value) || isStandIn(value) || algorithm.test(value))
    return false
  if (isQuoted) return true
  return isMixed(value) || /^[A-Za-z]{16,}$/.test(value)
}

/** Whether a password is stated in a sentence. The clause must end after it, and an ordinary word alone does not count. */
function isSaid(given: string, match: RegExpExecArray): boolean {
  const value = given.replace(/[.,;:!?)]+$/, (end) => (end.startsWith('!') ? '!' : ''))
  const after = match.input.slice(match.index + match[0].length)
  // Letters and digits together are not an ordinary word, so the text after them does not matter.
  const isOdd = value.length >= 6 && /^[A-Za-z0-9!@#$%^&*]+$/.test(value) && /[a-z]\d|\d[a-z]/i.test(value)
  const ends =
    isOdd ||
    given !== value ||
    /^\s*(?:$|\n|[.,;:!?)]|(?:and|but|so|for|on|please|which|use|do|it|then|if|-|–)\b)/i.test(after)
  return ends && value.length >= 5 && isPassword(value, { isQuoted: false })
}

const algorithm =
  /^(?:sha|md|aes|rsa|utf|base|bcrypt|argon|scrypt|hmac|pbkdf|ed255|oauth|http|tls|ssl|x50|p25|ecdsa|2fa|mfa|totp|1password|bitwarden|keepass|u2f|web)[-_./]?\w*(?:[-_][a-z0-9]+)*$/i

/** Whether a value is not an ordinary word: it mixes letters and digits, or contains a sign that words do not have. */
function isMixed(value: string): boolean {
  const letters = /[A-Za-z]/.test(value)
  if (/^\d+(?:[.,-]\d+)*[a-z]{0,12}$/i.test(value)) return /^\d{6,}$/.test(value)
  if (letters && /\d/.test(value)) return true
  return letters && /[!@#$%^&*+=?~]/.test(value)
}

/** Whether a value looks generated: long enough, with letters and digits, and neither code nor a placeholder. */
function isMade(value: string, least: number): boolean {
  return (
    value.length >= least &&
    /[0-9]/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !isPlaceholder(value) &&
    !isReference(value) &&
    !algorithm.test(value)
  )
}

function isKey(value: string, least: number): boolean {
  if (!isMade(value, least) || /^\d{4}-\d\d-\d\d/.test(value)) return false
  // Names in code and paths contain digits too. A value made of words and hyphens is not a key.
  return (
    !/^[a-z]+\d{0,2}(?:[-_.:/]+[a-z]+\d{0,2})*[-_.:/]?\d{0,3}$/i.test(value) &&
    !/^[\w.-]+\/[\w./-]+\.\w{1,5}$/.test(value)
  )
}

/** Whether "token" means something other than a key here: a page token, a cursor or a number of tokens. */
function isOtherToken({ input, index }: RegExpExecArray): boolean {
  return /(?:next|page|continuation|sync|cancel|cancellation|request|idempotency|cursor|resume|max|total|cache|primary|foreign|public|sort|partition)[_ -]?$/i.test(
    input.slice(Math.max(0, index - 20), index),
  )
}

function isHeader({ input, index }: RegExpExecArray): boolean {
  return /(?:authorization|auth|header)["']?\s{0,4}[:=]?\s{0,4}["']?$/i.test(
    input.slice(Math.max(0, index - 40), index),
  )
}
