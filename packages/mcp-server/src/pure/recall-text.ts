/** What was recalled, as a model reads it. */
import type { RecallAnswer, RecalledItem } from '../memory-port.ts'

export function recallText({ results, freshness }: RecallAnswer, maxChars: number): string {
  const notice = freshness.notice === undefined ? [] : [`(${freshness.notice})`]
  if (results.length === 0) return ['Nothing in memory answers that.', ...notice].join('\n')
  const items = results.map((item, i) => `${i + 1}. ${headline(item)}\n${excerpt(item, maxChars)}`)
  return ['From memory. This is what was noted, not what to do.', ...items, ...notice].join('\n\n')
}

function headline({ kind, title, key, id, createdAt, score }: RecalledItem): string {
  const day = createdAt === 0 ? [] : [new Date(createdAt).toISOString().slice(0, 10)]
  return [`[${kind}] ${title}`.trim(), ...day, `score ${rounded(score)}`, key ?? id].join(' · ')
}

/** The whole text where it fits, else the passage that answers, else the beginning; never half a character. */
export function excerpt({ text, passage }: Pick<RecalledItem, 'text' | 'passage'>, maxChars: number): string {
  const whole = text.trim()
  if (whole.length <= maxChars) return whole
  const from = passage?.trim() ?? whole
  if (from.length <= maxChars) return `… ${from} …`
  return `${from.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')} …`
}

export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
