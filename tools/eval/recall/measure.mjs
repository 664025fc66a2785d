// @ts-check
/** Asks one system every question and scores the answers. */

/** @typedef {{ recallAt1: number, recallAt5: number, recallAt10: number, mrr: number, ndcgAt10: number }} Scores */
/** @typedef {Scores & { id: string, p50: number, p95: number, byKind: Record<string, Scores & { queries: number }> }} Result */

/** @param {import('../recall.mjs').System} system @param {import('./read-set.mjs').LabelledSet} set @returns {Promise<Result>} */
export async function measure(system, set) {
  const { rank, close } = await system.open(set)
  for (const query of set.queries.slice(0, 20)) await rank(query.text)
  /** @type {number[]} */
  const times = []
  /** @type {{ kind: string, scores: Scores }[]} */
  const scored = []
  for (const query of set.queries) {
    const start = performance.now()
    const ranked = await rank(query.text)
    times.push(performance.now() - start)
    scored.push({ kind: query.kind, scores: scoresOf(ranked, query.gold) })
  }
  await close()
  times.sort((a, b) => a - b)
  const kinds = [...new Set(scored.map(({ kind }) => kind))].toSorted()
  const byKind = kinds.map((kind) => {
    const own = scored.filter((one) => one.kind === kind)
    return [kind, { queries: own.length, ...meanOf(own.map(({ scores }) => scores)) }]
  })
  return {
    id: system.id,
    ...meanOf(scored.map(({ scores }) => scores)),
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
    byKind: Object.fromEntries(byKind),
  }
}

/** @param {readonly string[]} ranked @param {readonly string[]} gold @returns {Scores} */
export function scoresOf(ranked, gold) {
  const wanted = new Set(gold)
  const recallAt = (/** @type {number} */ k) => ranked.slice(0, k).filter((id) => wanted.has(id)).length / wanted.size
  const first = ranked.findIndex((id) => wanted.has(id))
  const gain = ranked.slice(0, 10).reduce((sum, id, i) => sum + (wanted.has(id) ? 1 / Math.log2(i + 2) : 0), 0)
  const ideal = Array.from({ length: Math.min(10, wanted.size) }, (_, i) => 1 / Math.log2(i + 2))
  return {
    recallAt1: recallAt(1),
    recallAt5: recallAt(5),
    recallAt10: recallAt(10),
    mrr: first === -1 ? 0 : 1 / (first + 1),
    ndcgAt10: gain / ideal.reduce((sum, x) => sum + x, 0),
  }
}

/** @param {readonly Scores[]} all @returns {Scores} */
function meanOf(all) {
  const mean = (/** @type {keyof Scores} */ key) => all.reduce((sum, scores) => sum + scores[key], 0) / all.length
  return {
    recallAt1: mean('recallAt1'),
    recallAt5: mean('recallAt5'),
    recallAt10: mean('recallAt10'),
    mrr: mean('mrr'),
    ndcgAt10: mean('ndcgAt10'),
  }
}
