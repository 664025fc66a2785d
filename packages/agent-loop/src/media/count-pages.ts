/**
 * How many pages a PDF has, for the estimate of its tokens. Page objects are counted as they stand, and in compressed object streams. A
 * page of an earlier version of the document counts, too, so the number can be too high and not too low.
 */
import { inflateSync } from 'node:zlib'

/** 0 if none can be found, as in an encrypted or a damaged document. */
export function countPages(bytes: Uint8Array): number {
  const text = Buffer.from(bytes).toString('latin1')
  if (/\/Encrypt\s+\d+\s+\d+\s+R/.test(text)) return 0
  let [pages, declared, inflated] = [pagesIn(text), declaredIn(text), 0]
  for (const { index } of text.matchAll(/\/ObjStm\b/g)) {
    const from = /stream\r?\n/.exec(text.slice(index, index + 2000))
    if (from === null || inflated > mostInflated) continue
    const objects = inflatedText(bytes.subarray(index + from.index + from[0].length))
    inflated += objects.length
    pages += pagesIn(objects)
    declared = Math.max(declared, declaredIn(objects))
  }
  return Math.max(pages, pages === 0 ? 0 : declared)
}

/** A few bytes can be made to unpack to gigabytes. */
const mostInflated = 64 * 1024 * 1024

function pagesIn(text: string): number {
  return [...text.matchAll(/\/Type\s*\/Page(?![A-Za-z])/g)].length
}

/** The size of the page tree, where it says so. */
function declaredIn(text: string): number {
  const counts = [...text.matchAll(/\/Type\s*\/Pages[^A-Za-z][^]{0,400}?\/Count\s+(\d{1,6})/g)]
  return Math.max(0, ...counts.map(([, count]) => Number(count)))
}

function inflatedText(bytes: Uint8Array): string {
  try {
    return inflateSync(bytes, { maxOutputLength: mostInflated, finishFlush: 2 }).toString('latin1')
  } catch {
    return ''
  }
}
