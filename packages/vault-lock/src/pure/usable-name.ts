/**
 * Names that a key may not have on disk, because a file with such a name would be mistaken for something else: for one of our temporary
 * files, or on Windows for a device. Windows also drops trailing dots and spaces.
 */
import { InvalidLocatorError } from '@agentm/storage-seam'
import { placesName } from './place-record.ts'
import { isTemporaryName } from './temporary-name.ts'

export function refuseUnusableName(key: string, segment: string, platform: string): void {
  if (isTemporaryName(segment))
    throw new InvalidLocatorError(
      key,
      'a file that is being written has a name like that; it is hidden, and removed when its writer is gone. Choose another name',
    )
  if (segment === placesName)
    throw new InvalidLocatorError(key, 'writers keep there which lock they take. Choose another name')
  if (platform !== 'win32') return
  if (/[<>:"|?*\p{Cc}]/u.test(segment)) throw new InvalidLocatorError(key, 'Windows has no such file name')
  if (/[. ]$/.test(segment)) throw new InvalidLocatorError(key, 'Windows drops the last dot or space of a name')
  if (segment.length > 255) throw new InvalidLocatorError(key, 'a name in it is too long for this disk')
  if (/^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i.test(segment))
    throw new InvalidLocatorError(key, 'Windows keeps this name for a device')
}
