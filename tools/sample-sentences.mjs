// @ts-check
/**
 * A random sample of the sentences that people read here: from help, errors, documents and comments. Somebody who does not know the
 * project reads each of them once, and mends those that need a second reading.
 *
 *     node tools/sample-sentences.mjs --seed 1 --count 200
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '@agentm/conformance/logs'
import { documents, filesBelow, packages, programs } from './plain-words.mjs'
import { root } from './run.mjs'

/** @typedef {{ readonly from: 'help and errors' | 'documents' | 'comments', readonly file: string, readonly text: string }} Sentence */

/** @returns {readonly Sentence[]} */
export function allSentences() {
  const comments = packages()
    .flatMap((name) => filesBelow(`packages/${name}/src`, '.ts'))
    .map((file) => ({ file, text: onlyComments(readFileSync(path.join(root, file), 'utf8')) }))
  return [
    ...sentencesOf('help and errors', programs()),
    ...sentencesOf('documents', documents()),
    ...sentencesOf('comments', comments),
  ]
}

/**
 * As many of each kind, in an order that the seed decides.
 *
 * @param {readonly Sentence[]} all @param {{ readonly seed: number, readonly count: number }} wanted @returns {readonly Sentence[]}
 */
export function sample(all, { seed, count }) {
  const random = seededRandom(seed)
  const kinds = [...new Set(all.map(({ from }) => from))]
  const each = Math.ceil(count / Math.max(1, kinds.length))
  return kinds
    .flatMap((kind) =>
      drawn(
        all.filter(({ from }) => from === kind),
        each,
        random,
      ),
    )
    .slice(0, count)
}

/** @template T @param {readonly T[]} from @param {number} count @param {() => number} random */
function drawn(from, count, random) {
  const rest = [...from]
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(Math.floor(random() * rest.length), 1)[0],
  ).filter((one) => one !== undefined)
}

/** @param {Sentence['from']} from @param {readonly { readonly file: string, readonly text: string }[]} files */
function sentencesOf(from, files) {
  return files.flatMap(({ file, text }) =>
    text
      .replaceAll(/\n(?!\s*\n|\s*[-#|>'`"])/g, ' ')
      .split(/\n|(?<=[.!?:])\s+(?=[A-Z`])/)
      .map((part) => part.replace(/^[\s\-#|>*]+/, '').trim())
      .filter((part) => part.split(/\s+/).length >= 5 && /[a-z]{3}/.test(part))
      .map((part) => ({ from, file, text: part })),
  )
}

/** Each comment as a paragraph of its own. @param {string} source */
function onlyComments(source) {
  const blocks = [...source.matchAll(/\/\*\*?([\s\S]*?)\*\/|^\s*\/\/ (.*)$/gm)]
  return blocks
    .map(([, block, line]) =>
      (block ?? line ?? '')
        .replace(/@example[\s\S]*/, '')
        .replaceAll(/^\s*\*? ?/gm, ' ')
        .replaceAll(/\s+/g, ' '),
    )
    .join('\n\n')
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '200' } },
  })
  const found = sample(allSentences(), { seed: Number(values.seed), count: Number(values.count) })
  for (const [i, { file, text }] of found.entries()) console.log(`${String(i + 1).padStart(3)} ${file}\n    ${text}`)
}
