/** Lengths of time in words. */
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['millisecond', 1],
] as const

/**
 * A length of time in the largest unit that gives a whole number, such as `90 seconds` or `1 hour`.
 *
 * @example
 * ```ts
 * import { spanText } from '@agentm/harness'
 *
 * console.log(spanText(90_000), spanText(3_600_000)) // 90 seconds 1 hour
 * ```
 */
export function spanText(ms: number): string {
  const [unit, size] = units.find(([, each]) => ms >= each && ms % each === 0) ?? ['millisecond', 1]
  const count = ms / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
