/**
 * A question may be answered in a note that the best match links to: the note about a service names its team, and the note of the team has
 * the telephone number. One step is followed, from few results to few notes, and only for words that the linking note does not have.
 */
import { linkNames } from '../index/pure/indexed-note.ts'
import { linksIn } from '../notes/pure/links-in.ts'
import { analyzeQuery, type CorpusStatistics, rankLexical } from '../ranking/pure/rank-lexical.ts'
import type { FoundItem, RankedItem } from './pure/rank-found.ts'

export interface LinkedFrom {
  readonly text: string
  readonly corpus: CorpusStatistics
  /** The keys of the notes whose files have this name or alias. */
  readonly keysOf: (name: string) => readonly string[]
  readonly open: (keys: readonly string[]) => Promise<readonly FoundItem[]>
}

const mostFrom = 5
const mostLinked = 8
// Measured with generated questions over linked notes; the optimum is flat.
const share = 0.5

/** The linked notes that match more of the question, with what the link adds to their scores. */
export async function followLinks(
  ranked: readonly RankedItem[],
  { text, corpus, keysOf, open }: LinkedFrom,
): Promise<readonly FoundItem[]> {
  const from = ranked.slice(0, mostFrom).map((each) => ({ ...each, names: linksIn(each.item.text ?? '') }))
  const linked = [...new Set(from.flatMap(({ names }) => names))].flatMap(keysOf)
  if (linked.length === 0) return []
  const items = await open(linked.slice(0, mostLinked))
  const query = analyzeQuery(text, corpus)
  return items.flatMap((item) => {
    const { matched } = rankLexical(query, item.analyzed)
    const own = item.facts === undefined ? [] : linkNames(item.facts)
    const added = from.flatMap(({ item: { key }, names, score, matched: known }) => {
      if (key === item.key || !own.some((name) => names.includes(name))) return []
      const missing = query.terms.flatMap(({ worth }, i) =>
        known.whole[i] === 1 ? [] : [{ worth, isThere: matched.whole[i] === 1 }],
      )
      const all = missing.reduce((sum, { worth }) => sum + worth, 0)
      const there = missing.reduce((sum, { worth, isThere }) => sum + (isThere ? worth : 0), 0)
      return all === 0 ? [] : [(share * score * there) / all]
    })
    const most = Math.max(0, ...added)
    return most === 0 ? [] : [{ ...item, linked: most }]
  })
}
