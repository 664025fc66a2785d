/** Why a program did not start. If the working directory does not exist, Node reports that the program does not exist. */
import { existsSync } from 'node:fs'

export function whyNotStarted(
  command: string,
  { error, directory }: { readonly error: Error; readonly directory: string | undefined },
): string {
  const isAbsent = 'code' in error && error.code === 'ENOENT'
  if (isAbsent && directory !== undefined && !existsSync(directory))
    return `${command} was not started: there is no directory ${directory}`
  return isAbsent
    ? `${command} was not started: there is no such program (ENOENT)`
    : `${command} could not be started: ${error.message}`
}
