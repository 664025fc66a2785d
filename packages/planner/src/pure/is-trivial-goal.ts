/**
 * Whether a goal is one thing to do, as it stands: one short sentence that joins nothing and lists nothing. Asking a model
 * to take it apart would cost a call and yield the same step. What is in doubt is not trivial.
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
