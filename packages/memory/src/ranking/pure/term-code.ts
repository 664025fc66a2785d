/**
 * A term as a number: 28 bits for its stem and 4 for its form. Numbers compare faster than texts, take four bytes in an index, and
 * are the same in every process. Two of a million given stems share a number with a chance of 1 in 270, and would count as one word.
 */

/** 28 bits. */
export function stemCode(stem: string): number {
  return (hash(stem) >>> 4) >>> 0
}

/** 32 bits: the code of the stem, then 4 bits that tell the forms of one stem apart. */
export function termCode(stem: string, surface: string): number {
  return ((stemCode(stem) << 4) | (hash(surface) & 15)) >>> 0
}

export function stemOf(code: number): number {
  return code >>> 4
}

/** FNV-1a over UTF-16 units, mixed so that every bit depends on all units. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
