/**
 * Korean words carry particles at their end ("회의를", "회의는"), so they are found by pairs of syllables. A short word also has its
 * first syllable, because the second may be a particle.
 */
const hangul = /[\uAC00-\uD7A3]+/

export function hasHangul(word: string): boolean {
  return hangul.test(word)
}

/** The pairs of each run of syllables, and what is between the runs. */
export function hangulParts(word: string): readonly string[] {
  return word.split(/([\uAC00-\uD7A3]+)/).flatMap((run) => {
    if (run === '') return []
    if (!hangul.test(run)) return [run]
    const pairs = Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2))
    return run.length <= 2 ? [run.slice(0, 1), ...pairs] : pairs
  })
}
