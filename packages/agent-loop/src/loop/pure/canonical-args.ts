/**
 * Gives equal arguments the same text: keys sorted at all levels, no spaces, numbers by value. Numbers are compared by their digits
 * and not as floating-point numbers, so that two large ids stay different.
 */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Blank text becomes empty. Text that is not JSON is only trimmed. */
export function canonicalArgs(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  try {
    JSON.parse(trimmed)
    return written(JSON.parse(trimmed.replaceAll(token, marked)) as Marked)
  } catch {
    return trimmed
  }
}

/** Strings get the prefix `s`, and numbers become strings with the prefix `n`, so that no digit is lost. */
type Marked = string | boolean | null | readonly Marked[] | { readonly [key: string]: Marked }

function marked(part: string): string {
  return part.startsWith('"') ? `"s${part.slice(1)}` : `"n${canonicalNumber(part)}"`
}

function written(value: Marked): string {
  if (typeof value === 'string') return value.startsWith('n') ? value.slice(1) : JSON.stringify(value.slice(1))
  if (value === null || typeof value === 'boolean') return String(value)
  if (isList(value)) return `[${value.map(written).join(',')}]`
  const fields = Object.keys(value).toSorted()
  return `{${fields.map((key) => `${JSON.stringify(key.slice(1))}:${written(value[key] ?? null)}`).join(',')}}`
}

function isList(value: Marked): value is readonly Marked[] {
  return Array.isArray(value)
}

/** Digits without a decimal point, and an exponent unless it is zero: 1.50 and 15e-1 are both `15e-1`. */
function canonicalNumber(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return '0'
  const kept = digits.replace(/0+$/, '')
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - kept.length)
  const sign = mantissa.startsWith('-') ? '-' : ''
  if (power >= 0n && power <= 40n) return sign + kept + '0'.repeat(Number(power))
  return `${sign}${kept}e${power}`
}
