/** Whether a resolved path is this resolved directory, or is below it. */
import { sep } from 'node:path'

export function isWithin(directory: string, place: string): boolean {
  return place === directory || place.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}
