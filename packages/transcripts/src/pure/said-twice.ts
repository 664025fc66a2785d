/**
 * A host may write the same text as two records: once for the model and once for its own display. The first becomes the event, the
 * second is its copy. Texts are remembered by their fingerprints, and only until the copy comes.
 */
import { fingerprint } from './fingerprint.ts'

/** The texts whose copy has not come yet, oldest first: `<who>:<source>:<fingerprint>`. */
export type SaidOnce = readonly string[]

/** One of the two records of a text. */
export interface Said {
  readonly who: 'prompt' | 'reply'
  readonly source: 'item' | 'event'
  readonly text: string
}

const most = 16

/** Whether this record repeats one of the other kind, and what is remembered after it. */
export function saidTwice(
  said: SaidOnce,
  { who, source, text }: Said,
): { readonly isCopy: boolean; readonly said: SaidOnce } {
  const print = fingerprint(text.trim())
  const other = `${who}:${source === 'item' ? 'event' : 'item'}:${print}`
  const at = said.indexOf(other)
  if (at >= 0) return { isCopy: true, said: said.toSpliced(at, 1) }
  return { isCopy: false, said: [...said, `${who}:${source}:${print}`].slice(-most) }
}
