/** A condition on a short list of values, one parameter each: a list handed over as JSON is parsed at every call. */
export function among(values: readonly unknown[]): string {
  return `in (${values.map(() => '?').join(', ')})`
}
