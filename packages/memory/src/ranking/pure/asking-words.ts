/**
 * Words that belong to asking and not to what is asked for: "is there any information about", "what kind of", "has anyone mentioned". Notes
 * rarely contain them, so they look rare and would count as much as the words that matter.
 */
import { stem } from './stem.ts'

/** How much of its rarity a word of a question counts, 0 to 1. */
export function askingWeight(stemOfWord: string): number {
  return stems.has(stemOfWord) ? 0.5 : 1
}

const stems: ReadonlySet<string> = new Set(
  `anyone anybody someone somebody everyone everything something anything nothing kind type sort name mention say said tell told
  describe discuss explain talk think happen information example reason way thing know find give get got make made take use used want
  need go went come let see look like many much long often old ever several various certain possible available exist present concern
  regard relate involve include pertain paper work`
    .split(/\s+/)
    .map(stem),
)
