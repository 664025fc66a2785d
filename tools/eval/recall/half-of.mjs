// @ts-check
/** One half of the questions is for tuning, the other is kept for the figures that count. */
export const halves = /** @type {const} */ (['tuning', 'kept'])

/**
 * Every second question is kept, in the order of their kinds, so that both halves have all kinds.
 * @param {import('../recall.mjs').LabelledSet} set @param {string} half `both` for all questions
 */
export function halfOf(set, half) {
  if (half === 'both') return set
  const wanted = half === 'tuning' ? 0 : 1
  /** @type {Map<string, number>} */
  const seen = new Map()
  const queries = set.queries.filter(({ kind }) => {
    const place = seen.get(kind) ?? 0
    seen.set(kind, place + 1)
    return place % 2 === wanted
  })
  return { ...set, name: `${set.name}, ${half} half`, queries }
}
