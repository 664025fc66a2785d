/**
 * Text that stays on one line and cannot control a terminal: line breaks, control characters and direction marks are replaced by
 * their escapes.
 */
const unsafe = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const short: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }

export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(unsafe, (mark) => short[mark] ?? String.raw`\u` + mark.charCodeAt(0).toString(16).padStart(4, '0'))
}
