/** The address of a note on the page. Its key keeps its slashes, so that a person can read it. */
export function noteAddress(key: string): string {
  return `/memory/note/${key.split('/').map(encodeURIComponent).join('/')}`
}
