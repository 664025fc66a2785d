/** A note's key as the URI of a resource, and back. */
export const noteUriTemplate = 'agentm://note/{+key}'

const prefix = 'agentm://note/'

export function noteUri(key: string): string {
  return prefix + key.split('/').map(encodeURIComponent).join('/')
}

/** `undefined` for a URI that names no note. */
export function findNoteKey(uri: string): string | undefined {
  if (!uri.startsWith(prefix)) return undefined
  try {
    const segments = uri.slice(prefix.length).split('/').map(decodeURIComponent)
    const isKey = segments.every((each) => each !== '' && each !== '.' && each !== '..' && !/[/\\\0]/.test(each))
    return isKey ? segments.join('/') : undefined
  } catch (error) {
    // The one thing that decoding refuses: a `%` that begins no character.
    if (error instanceof URIError) return undefined
    throw error
  }
}
