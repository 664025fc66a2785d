/**
 * Parsers for the value of one setting. Written by hand: every hook of an agent session reads the install config, and a schema
 * library takes longer to load than all the rest together.
 */
import { isPackageName } from './package-name.ts'
import { strip } from './strip.ts'

/** The value, or what is allowed. `undefined` stands for a key without a value. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T | undefined }
  | { readonly ok: false; readonly wanted: string }

export interface Parser<T> {
  /** Of the value as the file has it. */
  parse(value: unknown): Parsed<T>
  /** What a person types on the command line, turned into the value the file gets. */
  fromText(text: string): unknown
  /** For tables of settings, such as `text` or `a number from 0 to 1`. */
  readonly form: string
  /** The only values `config set` takes; shells complete them. */
  readonly choices?: readonly string[]
}

export const text: Parser<string> = parser('text', (value) => {
  return typeof value === 'string' ? strip(value) || undefined : refused('text')
})

/** Text whose white space counts, and which may be empty. */
export const exactText: Parser<string> = parser('text, with the spaces around it', (value) =>
  typeof value === 'string' ? value : refused('text'),
)

/** Text that must not be empty. */
export function name(example: string): Parser<string> {
  const wanted = `a name such as ${JSON.stringify(example)}`
  return {
    form: 'a name',
    fromText: (given) => given,
    parse(value) {
      const given = typeof value === 'string' ? strip(value) : ''
      return given === '' ? { ok: false, wanted } : { ok: true, value: given }
    },
  }
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Parser<Choice> {
  const form = choices.map((choice) => `"${choice}"`).join(' or ')
  return {
    ...parser(form, (value) => {
      const given = typeof value === 'string' ? strip(value) : value
      return choices.find((choice) => choice === given) ?? refused(form)
    }),
    choices,
  }
}

/** Older programs write `vault` for `backend`. Any other text is kept, so that the reader can report it. */
export const stateMode: Parser<string> = {
  ...parser('"local" or "backend"', (value) => {
    const mode = typeof value === 'string' ? strip(value).toLowerCase() : refused('"local" or "backend"')
    return mode === 'vault' ? 'backend' : mode || undefined
  }),
  choices: ['local', 'backend'],
}

export const flag: Parser<boolean> = {
  ...parser('true or false', (value) => {
    if (typeof value === 'boolean') return value
    return value === 'true' ? true : value === 'false' ? false : refused('true or false')
  }),
  fromText: (given) => (given === 'true' ? true : given === 'false' ? false : given),
  choices: ['true', 'false'],
}

export function numberIn(low: number, high: number): Parser<number> {
  return numeric(`a number from ${low} to ${high}`, (number) => number >= low && number <= high)
}

export function wholeNumberFrom(low: number): Parser<number> {
  return numeric(`a whole number from ${low}`, (number) => Number.isSafeInteger(number) && number >= low)
}

/** Commas separate its parts on the command line; `[]` is the empty list, where that means something. */
export function texts({ mayBeEmpty }: { readonly mayBeEmpty: boolean }): Parser<readonly string[]> {
  return list(mayBeEmpty ? 'a list of texts' : 'a list of at least one text', { mayBeEmpty, isPart: () => true })
}

/** Commas separate its parts on the command line. */
export function someOf<const Choice extends string>(...choices: readonly Choice[]): Parser<readonly Choice[]> {
  const form = `a list of ${choices.map((choice) => `"${choice}"`).join(', ')}`
  const isChoice = (part: string) => choices.some((choice) => choice === part)
  return { ...(list(form, { mayBeEmpty: false, isPart: isChoice }) as Parser<readonly Choice[]>), choices }
}

export const packageNames: Parser<readonly string[]> = list('a list of names of installed packages', {
  mayBeEmpty: true,
  isPart: isPackageName,
})

export const timeOfDay: Parser<string> = parser('a time of day such as "02:45", or "off"', (value) => {
  const isTime = typeof value === 'string' && /^(?:(?:[01]\d|2[0-3]):[0-5]\d|off)$/.test(strip(value))
  return isTime ? strip(value) : refused('a time of day such as "02:45", or "off"')
})

/** Checked only for its form, because only the system knows which zones exist. */
export const timeZone: Parser<string> = parser('a time zone such as "UTC" or "Europe/Berlin"', (value) => {
  if (typeof value === 'string' && /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(strip(value))) return strip(value)
  return refused('a time zone such as "UTC" or "Europe/Berlin"')
})

export const webAddress: Parser<string> = parser('an address that begins with http:// or https://', (value) => {
  if (typeof value !== 'string') return refused('an address that begins with http:// or https://')
  const given = strip(value)
  if (given === '') return undefined
  return /^https?:\/\/[^\s/]/.test(given) ? given : refused('an address that begins with http:// or https://')
})

/** An object, in the file as it stands or as the JSON a person typed. `check` answers what is wrong with it, if anything. */
export function object<T extends object>(
  form: string,
  check: (value: Readonly<Record<string, unknown>>) => string | undefined = () => undefined,
): Parser<T> {
  return {
    ...parser(form, (value) => {
      const given = typeof value === 'string' ? jsonOr(value) : value
      if (!isObject(given)) return refused(form)
      const problem = check(given)
      return problem === undefined ? (given as T) : refused(`${form} (${problem})`)
    }),
    fromText: jsonOr,
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

class Refused {
  readonly wanted: string
  constructor(wanted: string) {
    this.wanted = wanted
  }
}

function refused(wanted: string): Refused {
  return new Refused(wanted)
}

function parser<T>(form: string, read: (value: unknown) => T | Refused | undefined): Parser<T> {
  return {
    form,
    fromText: (given) => given,
    parse(value) {
      if (value === undefined || value === null) return { ok: true, value: undefined }
      const parsed = read(value)
      return parsed instanceof Refused ? { ok: false, wanted: parsed.wanted } : { ok: true, value: parsed }
    },
  }
}

/** A number that may be written as text. */
function numeric(form: string, isFine: (number: number) => boolean): Parser<number> {
  return {
    ...parser(form, (value) => {
      const number = numberOf(value)
      return typeof number === 'number' && isFine(number) ? number : refused(form)
    }),
    fromText: numberOf,
  }
}

function numberOf(value: unknown): unknown {
  const number = typeof value === 'string' && strip(value) !== '' ? Number(value) : Number.NaN
  return Number.isNaN(number) ? value : number
}

function list(
  form: string,
  { mayBeEmpty, isPart }: { readonly mayBeEmpty: boolean; readonly isPart: (text: string) => boolean },
): Parser<readonly string[]> {
  return {
    ...parser(form, (value) => {
      const given = typeof value === 'string' ? jsonOr(value) : value
      if (!Array.isArray(given) || (given.length === 0 && !mayBeEmpty)) return refused(form)
      const parts = given.map((part) => (typeof part === 'string' ? strip(part) : ''))
      return parts.every((part) => part !== '' && isPart(part)) ? parts : refused(form)
    }),
    fromText: (given) => (strip(given).startsWith('[') ? jsonOr(given) : given.split(',').map(strip)),
  }
}

function jsonOr(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}
