// @ts-check
/** Notes in sixteen languages, all in one store, and a question for each in other forms of the same words. */
import { sentences } from './language-sentences.mjs'
import { randomFrom } from './random-from.mjs'

/** @param {number} seed @returns {import('../recall.mjs').LabelledSet} */
export function languageSet(seed) {
  const random = randomFrom(seed)
  const entries = Object.entries(sentences).flatMap(([kind, { deeds, things, rest }]) =>
    deeds.flatMap(([toldDeed, askedDeed]) =>
      things.map(([toldThing, askedThing]) => ({
        kind,
        text: `${capital(toldDeed.replace('_', toldThing))} ${random.some(rest, 2).join(' ')}`,
        asked: askedDeed.replace('_', askedThing),
      })),
    ),
  )
  const mixed = random.some(entries, entries.length)
  return {
    name: `languages, seed ${seed}`,
    corpus: mixed.map(({ text }, i) => ({ id: `n${i + 1}`, title: `${i + 1}`, text })),
    queries: mixed.map(({ asked, kind }, i) => ({ id: `q${i + 1}`, text: asked, gold: [`n${i + 1}`], kind })),
  }
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
