/** FNV-1a with a final mix: the low bits choose a place and the highest a sign, so all of them must depend on all input. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return mix(hash)
}

/** The same over the UTF-16 units of `text[start, end)`; `kind` keeps a word and an n-gram of the same letters apart. */
export function hashText(kind: number, text: string, start = 0, end = text.length): number {
  let hash = Math.imul(0x811c9dc5 ^ kind, 0x01000193)
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return mix(hash)
}

function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
