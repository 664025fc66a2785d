/** The type of failure for an HTTP status. */
import type { ToolErrorType } from '../tool-error.ts'

const statuses: Readonly<Record<number, ToolErrorType>> = {
  401: 'permission',
  402: 'permission',
  403: 'permission',
  407: 'permission',
  451: 'permission',
  404: 'not_found',
  410: 'not_found',
  408: 'timeout',
  504: 'timeout',
  423: 'unavailable',
  425: 'unavailable',
  429: 'unavailable',
  502: 'unavailable',
  503: 'unavailable',
  529: 'unavailable',
}

export function typeOfStatus(status: number): ToolErrorType {
  return statuses[status] ?? (status < 500 ? 'validation' : 'internal')
}

const named = /\b(?:http(?:\/\d(?:\.\d)?)?|status(?: ?code)?)[ :=]+([45]\d\d)\b/i
const explained =
  /(?<![\w-])([45]\d\d):? +(?:bad (?:request|gateway)|conflict|forbidden|gateway time-?out|gone|internal server error|not found|payment required|request timeout|service unavailable|site is overloaded|too many requests|unauthorized|unprocessable)/i
const leading = /^\s*([45]\d\d)\s*(?:$|[:,;]\s)/
const alone = /(?<![\w:./#=-])(503|529)(?![\w:/#=-])/

/** A number counts as a status only if the words around it say so, because ids often contain 503. */
export function statusInText(text: string): number | undefined {
  const found = named.exec(text) ?? explained.exec(text) ?? leading.exec(text)
  return found?.[1] === undefined ? undefined : Number(found[1])
}

/** 503 and 529 count even if they stand alone in a message, because no word beside them says that they are a status. */
export function saysOverloaded(text: string): boolean {
  return alone.test(text)
}
