// @ts-check
/**
 * Vaults of developer notes, and what an agent is asked beside them: ordinary prompts that no note answers, and prompts that exactly one
 * note answers. Each has a half for tuning and a half that nothing is fitted on; the halves share neither notes nor prompts.
 */
import { randomFrom } from '../recall/random-from.mjs'
import { factsKept } from './sets/facts-kept.mjs'
import { factsForTuning } from './sets/facts-tuning.mjs'
import { fillers, own } from './sets/filler.mjs'
import { promptsKept } from './sets/prompts-kept.mjs'
import { promptsForTuning } from './sets/prompts-tuning.mjs'
import { slots } from './sets/slots.mjs'

/** @typedef {'tuning' | 'kept'} Half */
/** @typedef {import('./worlds.mjs').World} World */
/** @typedef {ReturnType<typeof randomFrom>} Random */

const sizes = [40, 300, 2000]
const ordinaryPerHalf = 1000

/** @type {Record<Half, { facts: readonly import('./sets/facts-tuning.mjs').Fact[], prompts: readonly string[] }>} */
const halves = {
  tuning: { facts: factsForTuning, prompts: promptsForTuning },
  kept: { facts: factsKept, prompts: promptsKept },
}

/** The vaults of one half, each asked everything of its half. @param {number} seed @param {Half} half @returns {readonly World[]} */
export function vaultsOf(seed, half) {
  const { facts, prompts } = halves[half]
  const ordinary = ordinaryPrompts(randomFrom(seed), prompts)
  return sizes.map((size) => {
    const random = randomFrom(seed + size)
    // A small vault holds half of its notes for questions, and every answer is in the larger ones.
    const told = facts.slice(0, Math.min(facts.length, size / 2))
    const answers = told.map(([title, text], i) => ({ id: `fact-${i}`, title, text }))
    const corpus = [...answers, ...fillerNotes(random, size - answers.length)]
    return {
      name: `${half} vault, ${size} notes`,
      corpus,
      half,
      asked: [
        ...ordinary.map((text) => ({ text, gold: [], kind: 'ordinary prompt' })),
        ...told.flatMap(([, , asked, inPassing], i) =>
          [asked, inPassing].map((text) => ({ text, gold: [`fact-${i}`], kind: 'answer in a vault' })),
        ),
      ],
    }
  })
}

/** Each template is used about equally often. @param {Random} random @param {readonly string[]} templates */
function ordinaryPrompts(random, templates) {
  const prompts = new Set()
  for (let i = 0; prompts.size < ordinaryPerHalf && i < ordinaryPerHalf * 20; i++)
    prompts.add(filled(random, templates[i % templates.length] ?? '', slots))
  return /** @type {string[]} */ ([...prompts])
}

/** @param {Random} random @param {number} many */
function fillerNotes(random, many) {
  const lists = { ...slots, ...own, part2: slots.part, person2: own.person, why2: own.why }
  return Array.from({ length: many }, (_, i) => {
    const [, title, text] = fillers[i % fillers.length] ?? ['', '', '']
    /** @type {Map<string, string>} */
    const same = new Map()
    return { id: `filler-${i}`, title: filled(random, title, lists, same), text: filled(random, text, lists, same) }
  })
}

/**
 * @param {Random} random @param {string} template @param {Record<string, readonly string[]>} lists
 * @param {Map<string, string>} same what a slot was filled with before
 */
function filled(random, template, lists, same = new Map()) {
  return template.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const word = same.get(name) ?? random.pick(lists[name] ?? [])
    same.set(name, word)
    return word
  })
}
