/**
 * How many typing errors lie between two words: letters in the wrong order, one too many, one missing, a wrong one.
 * `undefined` for more than two.
 */
export function withinTwoErrors(one: string, other: string): 0 | 1 | 2 | undefined {
  let [start, end] = [0, 0]
  const shorter = Math.min(one.length, other.length)
  while (start < shorter && one.charCodeAt(start) === other.charCodeAt(start)) start++
  while (end < shorter - start && one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end))
    end++
  const found = errorsIn(one.slice(start, one.length - end), other.slice(start, other.length - end), 2)
  return found > 2 ? undefined : (found as 0 | 1 | 2)
}

/** The errors at the beginning are tried one by one, because few are allowed. */
function errorsIn(one: string, other: string, most: number): number {
  let at = 0
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  const [left, right] = [one.slice(at), other.slice(at)]
  if (left === '' || right === '') return left.length + right.length
  if (most === 0) return 1
  const swapped = left[0] === right[1] && left[1] === right[0] && left.length > 1 && right.length > 1
  const tries = [
    ...(swapped ? [errorsIn(left.slice(2), right.slice(2), most - 1)] : []),
    errorsIn(left.slice(1), right, most - 1),
    errorsIn(left, right.slice(1), most - 1),
    errorsIn(left.slice(1), right.slice(1), most - 1),
  ]
  return 1 + Math.min(...tries)
}
