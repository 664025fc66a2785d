/** A condition on a short list of values, with one parameter each, because a list passed as JSON is parsed at every call. */
export function among(values: readonly unknown[]): string {
  return `in (${values.map(() => '?').join(', ')})`
}
