// @ts-check
/**
 * Stores with questions that have an answer in them and questions that have none. Without an answer are: questions about
 * other fields, questions of another labelled set, and questions of the same kind about what is not in this store.
 */
import { generatedSet } from '../recall/generated-set.mjs'
import { randomFrom } from '../recall/random-from.mjs'

/** @typedef {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledSet} LabelledSet */
/** @typedef {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledNote} Note */
/** @typedef {{ readonly text: string, readonly gold: readonly string[] }} Asked `gold` is empty where there is no answer */
/** @typedef {{ readonly name: string, readonly corpus: readonly Note[], readonly half?: 'tuning' | 'kept', readonly asked: readonly (Asked & { readonly kind: string })[] }} World */

export const elsewhere = [
  'quantum chromodynamics',
  'What binds quarks together in quantum chromodynamics?',
  'recipe for sourdough bread with rye flour',
  'How long do I roast a leg of lamb?',
  'the offside rule in association football',
  'Which opening gambit did Capablanca prefer?',
  'photosynthesis in C4 plants',
  'mortgage interest deduction for a second home',
  'Who painted the ceiling of the Sistine Chapel?',
  'best fertiliser for tomato seedlings',
  'symptoms of vitamin B12 deficiency',
  'the plot of Wuthering Heights',
  'tidal locking of exoplanets around red dwarfs',
  'How do I tune a ukulele?',
  'translate good morning into Swahili',
  'the treaty of Westphalia and sovereignty',
  'knitting pattern for a cable sweater',
  'What is the boiling point of mercury?',
  'migration routes of arctic terns',
  'Explain the Krebs cycle.',
]

const prompts = [
  /** @param {string} text */ (text) =>
    `Please have a look at this and tell me what you think before you change anything: ${text}`,
  /** @param {string} text */ (text) =>
    `${text} Keep the change small, run the linter afterwards and summarise what you did.`,
]

/** @param {number} seed @param {readonly LabelledSet[]} labelled @returns {readonly World[]} */
export function worldsOf(seed, labelled) {
  const made = generatedSet(seed)
  const sets = [...labelled, made]
  return sets.flatMap((set) =>
    worldsFrom(
      set,
      sets.filter((other) => other !== set),
      seed,
    ),
  )
}

/** @param {LabelledSet} set @param {readonly LabelledSet[]} others @param {number} seed @returns {readonly World[]} */
function worldsFrom(set, others, seed) {
  const random = randomFrom(seed)
  const foreign = others.flatMap(({ queries }) => random.some(queries, Math.min(60, queries.length)))
  const none = [
    ...elsewhere.map((text) => ({ text, gold: [], kind: 'another field' })),
    ...foreign.map(({ text }) => ({ text, gold: [], kind: 'another store' })),
  ]
  const own = random.some(set.queries, Math.min(200, set.queries.length))
  const whole = {
    name: `${set.name}, ${set.corpus.length} notes`,
    corpus: set.corpus,
    asked: [...own.map((query) => answered(query)), ...own.slice(0, 60).map((query, i) => prompted(query, i)), ...none],
  }
  // Small stores are what people have first: some notes with their questions, and the questions of all the others.
  const small = [3, 10, 40].flatMap((size) => {
    if (set.corpus.length < size * 2) return []
    return [0, 1, 2].map((turn) => {
      const kept = random.some(set.corpus, size)
      const ids = new Set(kept.map(({ id }) => id))
      const here = set.queries.filter(({ gold }) => gold.some((id) => ids.has(id)))
      const gone = set.queries.filter(({ gold }) => gold.every((id) => !ids.has(id)))
      return {
        name: `${set.name}, ${size} notes`,
        corpus: kept,
        asked: [
          ...random.some(here, Math.min(60, here.length)).map((query) => answered(query)),
          ...random.some(gone, Math.min(60, gone.length)).map(({ text }) => ({ text, gold: [], kind: 'same kind' })),
          ...(turn === 0 ? none : []),
        ],
      }
    })
  })
  return [whole, ...small]
}

/** @param {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledQuestion} query */
function answered({ text, gold }) {
  return { text, gold, kind: 'answer' }
}

/** @param {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledQuestion} query @param {number} i */
function prompted({ text, gold }, i) {
  return { text: prompts[i % prompts.length]?.(text) ?? text, gold, kind: 'answer, long prompt' }
}
