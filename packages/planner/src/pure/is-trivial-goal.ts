/**
 * Whether a goal is a single task: one short sentence without conjunctions or lists. Asking a model to divide it would cost a call
 * and give the same step. In doubt it is not trivial.
 */
const mostWords = 12
const joins =
  /[,;:]|\b(?:and|then|after|before|afterwards|finally|first|second|next|each|every|all|plan|both|while|until|und|dann|danach|et|puis|y|luego)\b/iu
const sentenceEnd = /[.!?。！？]\s+\S/u
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

export function isTrivialGoal(goal: string): boolean {
  const text = goal.trim()
  if (text === '' || /[\r\n\u2028\u2029]/u.test(text)) return false
  // Without spaces there is no counting words, and the joining words are others.
  if (unspaced.test(text)) return false
  return text.split(/\s+/u).length <= mostWords && !joins.test(text) && !sentenceEnd.test(text)
}
