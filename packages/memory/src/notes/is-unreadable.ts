/** Whether an error means that only this one file or directory cannot be read now. */
import { isSeamError } from '@agentm/storage-seam'

const ofOnePlace = ['CORRUPT_TEXT', 'ONLINE_ONLY', 'NOT_A_FILE', 'OUTSIDE_STORE']

// Other errors, such as too many open files, concern the whole process, and say nothing about the file.
const faultsOfOnePlace = ['EACCES', 'EPERM', 'EIO']

export function isUnreadable(error: unknown): boolean {
  if (!isSeamError(error)) return false
  if (error.code !== 'DEVICE_FAULT') return ofOnePlace.includes(error.code)
  return 'fault' in error && faultsOfOnePlace.some((fault) => fault === error.fault)
}
