/** Joins the streamed pieces of model output to whole lines, because several agents may speak at once. */
import type { TextPlace } from '@agentm/harness'

interface Speech {
  readonly title: string
  readonly reply: string
  text: string
}

export class SpokenLines {
  readonly #speeches = new Map<string, Speech>()

  /** The lines that this piece completes, after the unfinished line of an earlier reply. */
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

  /** The unfinished line of a step. */
  rest(stepId: string): readonly string[] {
    const speech = this.#speeches.get(stepId)
    this.#speeches.delete(stepId)
    return speech === undefined ? [] : said(speech.title, speech.text)
  }

  /** The unfinished lines of all steps. */
  all(): readonly string[] {
    return [...this.#speeches.keys()].flatMap((stepId) => this.rest(stepId))
  }

  /** The line that is being said, with the title of the step. */
  current(stepId: string): { readonly title: string; readonly text: string } | undefined {
    return this.#speeches.get(stepId)
  }
}

function said(title: string, line: string): readonly string[] {
  return line.trim() === '' ? [] : [`${title}: ${line}`]
}
