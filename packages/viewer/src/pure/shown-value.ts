/** Values that programs wrote may be of any size; a page shows the beginning. */
const longest = 20_000

export function shownText(text: string, limit = longest): string {
  if (text.length <= limit) return text
  return `${text.slice(0, limit).toWellFormed()}… (${(text.length - limit).toLocaleString('en')} more characters)`
}

/** The value itself, or the beginning of its JSON. */
export function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value)
  const json = JSON.stringify(value, undefined, 2) ?? ''
  return json.length <= longest ? value : shownText(json)
}
