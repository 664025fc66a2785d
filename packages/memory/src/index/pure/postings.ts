/** The places of the notes that contain a term, ascending, as the differences between neighbours, seven bits in a byte. */

export function packPlaces(places: readonly number[]): Uint8Array {
  const bytes: number[] = []
  let before = -1
  for (const place of places) {
    let gap = place - before - 1
    before = place
    while (gap > 127) {
      bytes.push((gap & 127) | 128)
      gap >>>= 7
    }
    bytes.push(gap)
  }
  return Uint8Array.from(bytes)
}

/** Calls `visit` for each place. It creates nothing, because a common word has as many places as there are notes. */
export function eachPlace(bytes: Uint8Array, visit: (place: number) => void): void {
  let place = -1
  let gap = 0
  let shift = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    gap |= (byte & 127) << shift
    if (byte > 127) {
      shift += 7
      continue
    }
    place += gap + 1
    visit(place)
    gap = 0
    shift = 0
  }
}
