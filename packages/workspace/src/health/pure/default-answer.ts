/** The answer of `approve` without --answer; none if the question allows neither approve nor yes. */
export function defaultAnswer(allowed: readonly string[] | undefined): string | undefined {
  return ['approve', 'yes'].find((answer) => allowed?.includes(answer))
}
