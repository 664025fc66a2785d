// @ts-check
/**
 * Questions that share no content word with the note that answers them: a hundred hand-written notes with three questions each, in
 * `paraphrased-notes.txt`, among the notes of a generated set. Every second note is for tuning; the others are kept for the last look.
 */
import { readFileSync } from 'node:fs'
import { termsOf } from '../../../packages/memory/dist/ranking.js'
import { generatedSet } from './generated-set.mjs'

/** @typedef {{ readonly title: string, readonly text: string, readonly asked: readonly string[] }} Paraphrased */

/** @param {'tuning' | 'kept' | 'all'} half @returns {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledSet} */
export function paraphrasedSet(half) {
  const notes = paraphrasedNotes()
  const corpus = notes.map(({ title, text }, i) => ({ id: `p${i}`, title, text, at: '2024-06-01T09:00:00.000Z' }))
  const queries = notes.flatMap(({ asked }, i) =>
    half === 'all' || (i % 2 === 0) === (half === 'tuning')
      ? asked.map((text, j) => ({ id: `p${i}-${j}`, text, gold: [`p${i}`], kind: 'no shared word' }))
      : [],
  )
  return { name: `paraphrased, ${half}`, corpus: [...corpus, ...generatedSet(1).corpus], queries }
}

/** The words that a question shares with its note. They must be none. @param {Paraphrased} note */
export function sharedWords({ title, text, asked }) {
  const own = new Set(termsOf(`${title}\n${text}`).map(({ stem }) => stem))
  return asked.flatMap((question) => termsOf(question).flatMap(({ stem }) => (own.has(stem) ? [stem] : [])))
}

/** @returns {readonly Paraphrased[]} */
export function paraphrasedNotes() {
  const file = readFileSync(new URL('paraphrased-notes.txt', import.meta.url), 'utf8')
  return file.split(/^# /m).flatMap((block) => {
    const [title = '', text = '', ...questions] = block.trim().split('\n')
    return title === '' ? [] : [{ title, text, asked: questions.map((line) => line.replace(/^\? /, '')) }]
  })
}
