/** Random numbers that repeat: the same seed gives the same sequence. At least 0, less than 1. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    // A Weyl sequence, mixed twice, so that neighbouring seeds give unrelated numbers.
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
