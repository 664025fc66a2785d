/** Whether a resolved place is this resolved directory, or below it. */
import { sep } from 'node:path'

export function isWithin(directory: string, place: string): boolean {
  return place === directory || place.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}
