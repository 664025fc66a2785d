/**
 * What a worker does with errors if there is no `onError`: it prints a warning, so that a mistake in a step kind stays visible. A
 * repeated message is printed once, because a store that is unavailable for an hour fails twice a second.
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
