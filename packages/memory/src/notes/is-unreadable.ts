/** Whether an error says that this one place cannot be read now, and nothing of the rest of the store. */
import { isSeamError } from '@agentm/storage-seam'

const ofOnePlace = ['CORRUPT_TEXT', 'ONLINE_ONLY', 'NOT_A_FILE', 'OUTSIDE_STORE']

// Too many open files, for one, says something of the process: then nothing is known of the place.
const faultsOfOnePlace = ['EACCES', 'EPERM', 'EIO']

export function isUnreadable(error: unknown): boolean {
  if (!isSeamError(error)) return false
  if (error.code !== 'DEVICE_FAULT') return ofOnePlace.includes(error.code)
  return 'fault' in error && faultsOfOnePlace.some((fault) => fault === error.fault)
}
