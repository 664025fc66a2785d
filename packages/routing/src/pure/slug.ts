/** Project names: what becomes one, and which are safe to use as one directory name. */
import { strip } from '@agentm/selection/reader'

/** Why this cannot be one directory name on every system; `undefined` where it can. */
export function slugObjection(slug: string): string | undefined {
  if (slug === '') return 'it is empty'
  if (slug === '.' || slug === '..') return 'it names a directory, not a project'
  if (/[/\\]/.test(slug)) return 'it holds a separator of directories'
  if (/\p{Cc}/u.test(slug)) return 'it holds a control character'
  if (!slug.isWellFormed()) return 'it holds half a surrogate pair'
  if (new TextEncoder().encode(slug).length > longest) return `it is longer than ${longest} bytes`
  return undefined
}

/** The last part of a clone address, as `git clone` would name the directory; `undefined` where nothing is left. */
export function slugOfAddress(address: string): string | undefined {
  return lastPart(strip(address).replace(/\/+$/, '').replaceAll(':', '/'))
}

/** The last part of `owner/name`. */
export function slugOfRepository(repository: string): string | undefined {
  return lastPart(strip(repository))
}

// Leaves room for a suffix in the 255 bytes that file systems take.
const longest = 200

function lastPart(text: string): string | undefined {
  const name = text.slice(text.lastIndexOf('/') + 1).replace(/\.git$/, '')
  return name === '' ? undefined : name
}
