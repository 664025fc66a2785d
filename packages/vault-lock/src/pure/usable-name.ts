/** Windows gives some names to devices and drops trailing dots and spaces: there, such a key would name another place. */
import { InvalidLocatorError } from '@agentm/storage-seam'

export function refuseUnusableName(key: string, segment: string, platform: string): void {
  if (platform !== 'win32') return
  if (/[<>:"|?*\p{Cc}]/u.test(segment)) throw new InvalidLocatorError(key, 'Windows has no such file name')
  if (/[. ]$/.test(segment)) throw new InvalidLocatorError(key, 'Windows drops the last dot or space of a name')
  if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(segment))
    throw new InvalidLocatorError(key, 'Windows keeps this name for a device')
}
