/**
 * What a worker does with errors nobody asked to hear of: a mistake in a kind must not stay invisible because `onError` was left
 * out. The same message again is not repeated: a store that is away for an hour fails twice a second.
 */
export function warnOfErrors(
  warn: (error: Error) => void = (error) => process.emitWarning(error),
): (error: unknown) => void {
  let last: string | undefined
  return (error) => {
    const shown = error instanceof Error ? error : new Error(String(error))
    if (shown.message === last) return
    last = shown.message
    warn(shown)
  }
}
