/** What was recalled, as a model reads it: for each item a line of ours that says whose words follow, then its text as a quotation. */
import { dataNotice, oneLine, shownEntry } from '@agentm/memory/shown'
import type { RecallAnswer, RecalledItem } from '../memory-port.ts'

export function recallText({ results, freshness }: RecallAnswer, maxChars: number): string {
  const { pendingVectors } = freshness
  const notices = [
    ...(freshness.notice === undefined ? [] : [`(${oneLine(freshness.notice)})`]),
    ...(freshness.store === 'current' ? [] : [`(the store is ${freshness.store}: something may be left out)`]),
    ...(pendingVectors === 0 ? [] : [`(${pendingVectors} texts wait for a vector and were found by words alone)`]),
  ]
  if (results.length === 0) return ['Nothing in memory answers that.', ...notices].join('\n')
  const items = results.map(
    (item, i) =>
      `${i + 1}. ${shownEntry({ ...item, text: excerpt(item, maxChars) }, `score ${item.score.toFixed(2)}`)}`,
  )
  return [dataNotice, ...items, ...notices].join('\n\n')
}

/** The whole text where it fits, else the passage that answers, else the beginning; never half a character. */
export function excerpt({ text, passage }: Pick<RecalledItem, 'text' | 'passage'>, maxChars: number): string {
  const whole = text.trim()
  if (whole.length <= maxChars) return whole
  const from = passage?.trim() ?? whole
  if (from.length <= maxChars) return `… ${from} …`
  return `${from.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')} …`
}
