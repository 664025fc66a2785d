/** Puts the scores in the order of the texts. Each text must have exactly one finite score. */
export function scoresAt(
  found: readonly { readonly index: number; readonly score: number }[],
  texts: number,
): readonly number[] | { readonly wrong: string } {
  if (found.length !== texts) return { wrong: `it answered ${found.length} scores for ${texts} texts.` }
  const outside = found.find(({ index }) => index < 0 || index >= texts)
  if (outside !== undefined) return { wrong: `it scored text ${outside.index}, but was given ${texts} texts.` }
  const scores = new Map(found.map(({ index, score }) => [index, score]))
  if (scores.size !== texts) return { wrong: 'it scored a text twice and another not at all.' }
  if (found.some(({ score }) => !Number.isFinite(score)))
    return { wrong: 'it answered a score that is not a finite number.' }
  return Array.from({ length: texts }, (_, i) => scores.get(i) ?? 0)
}
