/**
 * Whether a sentence is of a kind that is worth keeping without a judgement by a model: a rule, a preference, a condition, a
 * negation, or a property with a value. It complements `isPassingSentence`: a sentence of no such kind may be true, but is not
 * learned just because two plans contain it. It knows English; in other languages every sentence passes.
 */
import { readStatement } from './statement-difference.ts'

export function isLastingSentence(sentence: string): boolean {
  const text = sentence.normalize('NFKC').replaceAll(/[’‘]/g, "'").trim()
  if (!isEnglish(text)) return true
  return kinds.some((kind) => kind.test(text)) || hasValue(text)
}

const kinds: readonly RegExp[] = [
  // Rules and needs.
  /\b(?:must|should|shall|has to|have to|needs?|requires?|required|cannot|can't|may|forbids?|forbidden|allows?|allowed|supports?|expects?|mandatory|optional|limited|restricted|deprecated)\b/i,
  // Words of scope and time.
  /\b(?:always|never|only|every|each|any|all|by default|usually|at most|at least|unless|until|when|whenever|while|if|before|after|during|instead of|rather than|except|outside|inside|between)\b/i,
  // Negations.
  /\b(?:do|does|is|are|can|may|must|should)(?: not\b|n't\b)|\bno longer\b|\bcannot\b|\bwithout\b|\bnot\b/i,
  // Preferences.
  /\b(?:prefers?|preferred|likes?|dislikes?|disliked|favou?rs?|wants?|avoids?)\b/i,
  // What is regularly done.
  /\b(?:is|are|gets?) (?:\w+ly )?(?:\w+(?:ed|en)|kept|built|made|held|sent|put|set|run|read|led|found|stored|bound|split|hidden|written|shown) (?:by|in|into|on|at|from|to|as|with|for|under|over|through|of|via|against|per|out|before|after|when)\b/i,
  // Who is responsible for what, and what a thing has.
  /\b(?:approves?|maintains?|leads?|reviews?|signs? off|is responsible|is in charge|contact|owner|maintainer|default|package manager|retention|language|licen[cs]e|limit|timeout|naming|units?|integers?|encoding|currency|time ?zone|schedule|deadline|branch|environment)\b/i,
  // What something belongs to, comes from, or is called.
  /\b(?:belongs? to|depends? on|relies on|consists? of|comes? from|goes? (?:out|into|to)|go (?:out|into|to)|stands for|means|defaults? to|falls? back|uses?|owns?|keeps?|holds?|stores?|contains?|lives? in|runs? (?:on|in|at|under|against|with)|listens? on|binds? to|connects? to|talks? to|follows?|ignores?|rejects?|drops?|shares?|skips?|retries|returns?|reports? to|caches?|expires?|times? out|starts? with|ends? with|conventions?|style|standard|format)\b/i,
]

/** "The limit is 30", "S runs in Frankfurt": the sentence gives a number, a date or a name. */
function hasValue(text: string): boolean {
  const { tokens } = readStatement(text)
  const at = tokens.findIndex(({ word }) => /^(?:is|are|has|have)$/.test(word))
  return tokens.some(({ kind }, i) => i > Math.max(at, 1) && (kind === 'number' || kind === 'date' || kind === 'name'))
}

function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/[a-z']+/g) ?? []
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const isLatin = words.join('').length > letters * 0.9
  return isLatin && words.some((word) => common.has(word))
}

const common: ReadonlySet<string> = new Set(
  'the a an of to and is are in on for with not does do by from at its it be has have must only when before after every all no never always as that this will can should'.split(
    ' ',
  ),
)
