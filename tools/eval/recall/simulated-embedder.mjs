// @ts-check
/**
 * A good embedder that needs no model: it knows the labels. The vector of a question is random; that of a note leans towards the
 * questions that it answers, more for some than for others, so that it is right often and not always. `common` is the share of a
 * component that all vectors have: with .7, cosines lie between .70 and .85, as those of e5 and bge do. Narrow and wide versions are
 * made of the same vectors, so they know exactly the same.
 */
import { createHash } from 'node:crypto'

/** @typedef {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledSet} LabelledSet */

const dimensions = 128

/**
 * @param {LabelledSet} set
 * @param {{ common: number, skill?: number, weight?: number | undefined }} options
 * @returns {import('../../../packages/memory/dist/index.js').MemoryEmbedder}
 */
export function simulatedEmbedder({ name, corpus, queries }, { common, skill = 1, weight }) {
  const asked = new Map(queries.map((query) => [query.text, query]))
  const lines = corpus.map(({ id, text }) => ({ id, text: plain(text) }))
  /** @type {Map<string, Float64Array>} */
  const leanings = new Map(corpus.map(({ id }) => [id, new Float64Array(dimensions)]))
  for (const { id, gold } of queries) {
    // From 0 (it does not understand this question) to 1.
    const understood = createHash('sha256').update(`understood ${id}`).digest().readUInt32LE() / 2 ** 32
    for (const one of gold) add(leanings.get(one), directionOf(`question ${id}`), skill * understood)
  }
  /** @param {string} text */
  const vectorOf = (text) => {
    const query = asked.get(text)
    const own = query === undefined ? directionOf(`text ${text}`) : directionOf(`question ${query.id}`)
    if (query === undefined) add(own, leanings.get(noteOf(text) ?? ''), 1)
    const unit = scaled(own, Math.sqrt(1 - common) / Math.hypot(...own))
    return Float32Array.from([...unit, Math.sqrt(common)])
  }
  /** @param {string} text the words of a note, or a part of it below its title */
  const noteOf = (text) => {
    const line =
      text
        .split('\n')
        .slice(1)
        .map(plain)
        .toSorted((a, b) => b.length - a.length)[0] ?? plain(text)
    return lines.find((note) => note.text.includes(line))?.id
  }
  return {
    name: `simulated/${name}/${common}/${skill}`,
    dimensions: dimensions + 1,
    ...(weight === undefined ? {} : { weight }),
    embed: async (texts) => texts.map(vectorOf),
  }
}

/** A random direction of length 1, the same for the same seed. @param {string} seed */
function directionOf(seed) {
  const values = new Float64Array(dimensions)
  for (let i = 0; i < dimensions; i += 4) {
    const bytes = createHash('sha256').update(`${i} ${seed}`).digest()
    // The sum of uniform numbers is near enough to a normal one.
    for (let j = 0; j < 4; j++)
      for (let part = 0; part < 4; part++)
        values[i + j] = (values[i + j] ?? 0) + bytes.readUInt16LE(j * 8 + part * 2) / 2 ** 16 - 0.5
  }
  return scaled(values, 1 / Math.hypot(...values))
}

/** @param {Float64Array | undefined} to @param {Float64Array | undefined} more @param {number} share */
function add(to, more, share) {
  for (const [i, value] of (more ?? []).entries()) if (to !== undefined) to[i] = (to[i] ?? 0) + share * value
}

/** @param {Float64Array} values @param {number} by */
function scaled(values, by) {
  return values.map((value) => value * by)
}

/** @param {string} text */
function plain(text) {
  return text.replaceAll(/\s+/g, ' ').trim()
}
