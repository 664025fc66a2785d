/** A pattern and the spans that a match of it names. */
import type { TimeSpan } from './time-spans.ts'

export type SpansOf = (found: RegExpExecArray, now: number) => TimeSpan[]

export interface TimeRule {
  /** Rules with a lower rank are tried first, because "8. Mai 2023" also contains "Mai 2023". */
  readonly rank: number
  readonly pattern: RegExp
  readonly spansOf: SpansOf
}

export interface RuleOptions {
  readonly rank?: number
  /** On which sides a match must end a word (default: both). In Chinese and Japanese, nothing separates words. */
  readonly bounded?: { readonly start: boolean; readonly end: boolean } | undefined
}

export function timeRule(
  source: string,
  spansOf: SpansOf,
  { rank = 0, bounded = { start: true, end: true } }: RuleOptions = {},
): TimeRule {
  let made: RegExp | undefined
  return {
    rank,
    // Compiled on demand, because most questions name no time and compiling all rules is slow.
    get pattern() {
      const start = bounded.start ? String.raw`(?<![\p{L}\p{N}])` : ''
      return (made ??= new RegExp(`${start}(?:${source})${bounded.end ? String.raw`(?![\p{L}\p{N}])` : ''}`, 'gu'))
    },
    spansOf,
  }
}
