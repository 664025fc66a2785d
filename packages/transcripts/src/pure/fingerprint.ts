/** A short number for a text, so that a state can remember what was said without holding it. Two FNV-1a hashes with different seeds. */
export function fingerprint(text: string): string {
  let first = 0x811c9dc5
  let second = 0x01000193
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second ^ (code + index), 0x85ebca6b)
  }
  return `${(first >>> 0).toString(36)}.${(second >>> 0).toString(36)}.${text.length.toString(36)}`
}
