/** `models.roles.*` and `models.fallbacks`: a model by its name, or also where it is and which key it takes. */
import { isObject, type Parsed, type Parser } from './parser.ts'
import { strip } from './strip.ts'

/** Another model than `models.model`. What it does not say is as for that one. */
export interface ModelChoice {
  readonly model: string
  readonly url?: string
  readonly package?: string
  /** The environment variable that contains its key. */
  readonly keyVariable?: string
}

const form =
  'the name of a model, or an object such as {"model": "NAME", "url": "https://…/v1", "keyVariable": "OTHER_KEY"}'

export const modelChoice: Parser<ModelChoice> = {
  form,
  fromText: jsonOr,
  parse: (value) => (value === undefined || value === null ? { ok: true, value: undefined } : choiceOf(value)),
}

/** Commas separate names on the command line. */
export const modelChoices: Parser<readonly ModelChoice[]> = {
  form: `a list, each ${form}`,
  fromText: (given) => (strip(given).startsWith('[') ? jsonOr(given) : given.split(',').map(strip)),
  parse(value) {
    if (value === undefined || value === null) return { ok: true, value: undefined }
    const given = typeof value === 'string' ? jsonOr(value) : value
    if (!Array.isArray(given)) return { ok: false, wanted: `a list, each ${form}` }
    const parsed = given.map(choiceOf)
    const wrong = parsed.find((each) => !each.ok)
    if (wrong !== undefined && !wrong.ok) return wrong
    return { ok: true, value: parsed.flatMap((each) => (each.ok && each.value !== undefined ? [each.value] : [])) }
  },
}

function choiceOf(value: unknown): Parsed<ModelChoice> {
  const given = typeof value === 'string' ? jsonOr(value) : value
  if (typeof given === 'string' && strip(given) !== '') return { ok: true, value: { model: strip(given) } }
  const problem = isObject(given) ? problemOf(given) : 'it is neither'
  // Checked field by field just before.
  return problem === undefined
    ? { ok: true, value: given as ModelChoice }
    : { ok: false, wanted: `${form} (${problem})` }
}

const fields = ['model', 'url', 'package', 'keyVariable']

function problemOf(given: Readonly<Record<string, unknown>>): string | undefined {
  for (const [field, value] of Object.entries(given)) {
    if (!fields.includes(field)) return `"${field}" is none of ${fields.join(', ')}`
    if (typeof value !== 'string' || value === '') return `"${field}" is ${JSON.stringify(value)}`
  }
  const { url } = given
  if (typeof url === 'string' && !/^https?:\/\/[^\s/]/.test(url))
    return '"url" begins with neither http:// nor https://'
  return given['model'] === undefined ? '"model" is absent' : undefined
}

function jsonOr(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}
