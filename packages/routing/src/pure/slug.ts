/** Project names: how they are made, and which are safe as the name of one directory. */
import { strip } from '@agentm/settings'

/** Why this cannot be a directory name on every system; `undefined` if it can. */
export function slugObjection(slug: string): string | undefined {
  if (slug === '') return 'it is empty'
  if (slug === '.' || slug === '..') return 'it names a directory, not a project'
  if (/[/\\]/.test(slug)) return 'it holds a separator of directories'
  if (/\p{Cc}/u.test(slug)) return 'it holds a control character'
  if (!slug.isWellFormed()) return 'it holds half a surrogate pair'
  if (new TextEncoder().encode(slug).length > longest) return `it is longer than ${longest} bytes`
  return undefined
}

/** The last part of a clone address, as `git clone` names the directory; `undefined` if it is empty. */
export function slugOfAddress(address: string): string | undefined {
  return lastPart(strip(address).replace(/\/+$/, '').replaceAll(':', '/'))
}

/** The last part of `owner/name`. */
export function slugOfRepository(repository: string): string | undefined {
  return lastPart(strip(repository))
}

/**
 * The name of a checkout's directory as a project name, with invalid characters replaced. Leading dots and underscores are removed,
 * because they would hide a directory of notes.
 */
export function slugOfDirectory(name: string): string {
  const plain = strip(name.toWellFormed().replaceAll(/[\p{Cc}/\\]+/gu, '-')).replace(/^[._]+/, '')
  let slug = ''
  for (const char of plain) {
    if (new TextEncoder().encode(slug + char).length > longestOfDirectory) break
    slug += char
  }
  return slug === '' ? 'checkout' : slug
}

// Leaves room for a suffix within the 255 bytes that file systems allow.
const longest = 200
// Leaves room for a part that distinguishes it from another directory of that name.
const longestOfDirectory = longest - 16

function lastPart(text: string): string | undefined {
  const name = text.slice(text.lastIndexOf('/') + 1).replace(/\.git$/, '')
  return name === '' ? undefined : name
}
