/**
 * Text without the white space around it, as Python's `str.strip()` sees it: the files are shared with Python programs.
 * `trim()` would also take a byte order mark off, and leave U+001C to U+001F and U+0085 on.
 *
 * @example
 * ```ts
 * import { strip } from '@agentm/settings'
 *
 * console.log(`[${strip('  text \n')}]`) // [text]
 * ```
 */
export function strip(text: string): string {
  return text.replace(around, '')
}

const space = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`
const around = new RegExp(`^[${space}]+|[${space}]+$`, 'g')
