/** What `approve` says where nobody says otherwise; nothing where the question has no answer of that kind. */
export function defaultAnswer(allowed: readonly string[] | undefined): string | undefined {
  return ['approve', 'yes'].find((answer) => allowed?.includes(answer))
}
