/**
 * What a person typed themselves, sentence by sentence: without code, quotations, pasted text and reports of what somebody else said.
 * Where it is unclear whose words they are, they are left out.
 */

const mostSentences = 30

export function ownSentences(asked: string): readonly string[] {
  const text = ownText(asked.normalize('NFKC').replaceAll(/[’‘]/g, "'").replaceAll(invisible, ''))
  if (notMeant.test(text)) return []
  return text
    .split(/\n+|(?<=[.!?。！？])\s+|(?<=[。！？])|;\s+/u)
    .map((sentence) => sentence.replace(bullet, '').trim())
    .filter((sentence) => sentence !== '' && !reported.test(sentence) && !quotation.test(sentence))
    .slice(0, mostSentences)
}

/** The lines before the first one that announces other people's text, without those that look like output or code. */
function ownText(asked: string): string {
  const open = asked
    .replaceAll(/```[\s\S]*?(?:```|$)/g, '\n```\n')
    .replaceAll(/<(\w[\w-]*)[^>]*>[\s\S]*?(?:<\/\1>|$)/g, '\n')
  const own: string[] = []
  for (const line of open.split('\n')) {
    if (speaker.test(line)) break
    if (!output.test(line) && line.length <= mostLine) own.push(line)
    if (announces.test(line) && own.length > 0) break
  }
  return own.join('\n')
}

// A longer line was pasted rather than typed.
const mostLine = 500
const invisible = /[\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\u00AD]/g
const bullet = /^\s*(?:[-*+•]+|\d+[.)])\s+/u
/** A line that claims to be of somebody in a conversation. */
const speaker =
  /^\s*["'([*_-]*(?:user|human|assistant|system|developer|agent|ai|claude|gpt|gemini|codex|operator|admin|tool|person|customer)\b[\])"'*_ ]*(?:said|says|wrote)?\s*[:>]/i
const output =
  /^\s*(?:>|```|\$ |# |\||at \S+ \(|\{|\[|<|\d{4}-\d\d-\d\d|\d\d:\d\d|[A-Za-z]*Error\b|E {2,}|npm ERR|Traceback|warning:|error:|FAIL|PASS)/
/** Text of somebody else follows. */
const announces =
  /[:：]\s*$|\b(?:see|as|text|page|it) below\b|\bpasted\b|\bhere(?:'s| is| are)\b.*\b(?:text|mail|email|message|ticket|issue|log|output|page|doc|docs|spec|answer|review|wrote|says|said)\b|\bfollowing\b|^\s*(?:from|via) /i
const quotation = /["“„«][^"”“»]*\s[^"”“»]*\s[^"”“»]*["”“»]/u
const reported =
  /\b(?!I )(?:he|she|they|it|docs?|readme|page|article|wiki|ticket|issue|plan|answer|colleague|consultant|blog|manual|guide|team|reviewer|bot|linter|agent|assistant|web ?site|stackoverflow|somebody|someone|customer|email)\b[^.]{0,40}\b(?:says?|said|wrote|writes|recommends?|recommended|suggests?|suggested|claims?|claimed|wants us|tells?|told)\b|\baccording to\b/i
/** Nothing in such a prompt can be taken at its word. */
const notMeant =
  /\b(?:just kidding|kidding|lol|haha+|rofl|oh great|yeah,? right|exactly what I (?:always )?wanted|as if|sarcasm|\/s)\b|😂|🤣|🙄/iu
