/** What models say piece by piece, as lines: agents speak side by side, and each sentence must stay whole. */
import type { TextPlace } from '@agentm/harness'

interface Speech {
  readonly title: string
  readonly reply: string
  text: string
}

export class SpokenLines {
  readonly #speeches = new Map<string, Speech>()

  /** The lines this piece completes, what was left of an earlier reply first. */
  add(piece: string, { stepId, title, reply, attempt }: TextPlace): readonly string[] {
    const id = `${reply} ${attempt}`
    const known = this.#speeches.get(stepId)
    const before = known === undefined || known.reply === id ? [] : this.rest(stepId)
    const speech = known?.reply === id ? known : { title, reply: id, text: '' }
    const [last = '', ...whole] = `${speech.text}${piece}`.split(/\r\n|[\r\n]/).toReversed()
    speech.text = last
    this.#speeches.set(stepId, speech)
    return [...before, ...whole.toReversed().flatMap((line) => said(title, line))]
  }

  /** What a step said that no line break followed. */
  rest(stepId: string): readonly string[] {
    const speech = this.#speeches.get(stepId)
    this.#speeches.delete(stepId)
    return speech === undefined ? [] : said(speech.title, speech.text)
  }

  /** Of all steps. */
  all(): readonly string[] {
    return [...this.#speeches.keys()].flatMap((stepId) => this.rest(stepId))
  }

  /** The sentence that somebody is at, with who it is. */
  current(stepId: string): { readonly title: string; readonly text: string } | undefined {
    return this.#speeches.get(stepId)
  }
}

function said(title: string, line: string): readonly string[] {
  return line.trim() === '' ? [] : [`${title}: ${line}`]
}
