// @ts-check
/**
 * What writers and a person were told, kept apart from what is on the disk: for every line whether it must be there, may be there,
 * or must not; for every text that replaced another, which one.
 */

/** @typedef {'begun' | 'written' | 'refused'} State begun: nobody was told how it ended */

const end = '|'

export class Ledger {
  broken = /** @type {string[]} */ ([])
  /** By file, by line. @type {Map<string, Map<string, State>>} */
  #lines = new Map()
  /** By file, by text: what it replaced. @type {Map<string, Map<string, { readonly after: string, state: State }>>} */
  #texts = new Map()
  /** What a person wrote without the lock. @type {{ readonly key: string, readonly line: string, readonly place: string, readonly moment: number }[]} */
  #byHand = []
  /** By file, by text: whether somebody made it, and whether somebody removed it. @type {Map<string, Map<string, { kept: State, discarded: State }>>} */
  #drafts = new Map()
  #count = 0

  /** A line that was never written before. @param {string} who */
  newLine(who) {
    return `${who} wrote this, and it is line ${(this.#count += 1)} of all${end}`
  }

  /** @param {string} key @param {string} line @param {State} state */
  line(key, line, state) {
    within(this.#lines, key).set(line, state)
  }

  /** @param {string} key @param {string} text @param {{ readonly after: string, readonly state: State }} facts */
  text(key, text, { after, state }) {
    within(this.#texts, key).set(text, { after, state })
  }

  /** A text that was written where nothing was. @param {string} key @param {string} text @param {State} state */
  kept(key, text, state) {
    const drafts = within(this.#drafts, key)
    drafts.set(text, { kept: state, discarded: drafts.get(text)?.discarded ?? 'refused' })
  }

  /** Just this text was to go. @param {string} key @param {string} text @param {State} state */
  discarded(key, text, state) {
    const draft = within(this.#drafts, key).get(text)
    if (draft === undefined) this.broken.push(`${key} held what nobody wrote: "${text}"`)
    // Of several who removed it, one may have been told so, and another not how it ended.
    else if (draft.discarded !== 'written' && !(draft.discarded === 'begun' && state === 'refused'))
      draft.discarded = state
  }

  /** @param {{ readonly key: string, readonly line: string, readonly place: string, readonly moment: number }} edit */
  byHand(edit) {
    this.#byHand.push(edit)
  }

  /** Somebody replaces this file, and what others did to it since that moment. @param {string} place @param {number} since */
  mayLose(place, since) {
    for (const edit of this.#byHand)
      if (edit.place === place && edit.moment > since) this.line(edit.key, edit.line, 'begun')
  }

  /** The lines of a file that must be there by now. @param {string} key */
  promised(key) {
    return [...within(this.#lines, key)].filter(([, state]) => state === 'written').map(([line]) => line)
  }

  /** @param {string} key @param {string} text @param {readonly string[]} promised */
  checkLines(key, text, promised) {
    const found = text.split('\n').filter((line) => line !== '')
    const known = within(this.#lines, key)
    for (const line of found) if (!known.has(line)) this.broken.push(`${key} has a line nobody wrote: ${line}`)
    for (const line of promised)
      if (!found.includes(line) && known.get(line) === 'written') this.broken.push(`${key} lost "${line}"`)
    for (const line of new Set(found)) {
      if (found.indexOf(line) !== found.lastIndexOf(line)) this.broken.push(`${key} has "${line}" twice`)
      if (known.get(line) === 'refused') this.broken.push(`${key} has "${line}", which was refused`)
    }
  }

  /** Each text has replaced the one it was written for, and no other did: one winner. @param {string} key @param {string} last */
  checkChain(key, last) {
    const known = within(this.#texts, key)
    const winners = new Map()
    for (const [text, { after, state }] of known) {
      if (state !== 'written') continue
      if (winners.has(after)) this.broken.push(`${key}: "${text}" and "${winners.get(after)}" both replaced "${after}"`)
      winners.set(after, text)
    }
    const chain = new Set()
    for (let text = last; text !== ''; text = known.get(text)?.after ?? '') {
      if (!known.has(text)) this.broken.push(`${key} holds what nobody wrote: "${text}"`)
      if (known.get(text)?.state === 'refused') this.broken.push(`${key} went through "${text}", which was refused`)
      if (chain.has(text)) break
      chain.add(text)
    }
    for (const text of winners.values()) if (!chain.has(text)) this.broken.push(`${key} lost "${text}"`)
  }

  /** A text that was made is there until somebody removes it, and then never again. @param {string} key @param {string} last */
  checkKept(key, last) {
    const known = within(this.#drafts, key)
    for (const [text, { kept, discarded }] of known) {
      if (kept === 'written' && discarded === 'refused' && text !== last) this.broken.push(`${key} lost "${text}"`)
      if (text !== last) continue
      if (kept === 'refused') this.broken.push(`${key} holds "${text}", which was refused`)
      if (discarded === 'written') this.broken.push(`${key} holds "${text}", which was removed`)
    }
    if (last !== '' && !known.has(last)) this.broken.push(`${key} holds what nobody wrote: "${last}"`)
  }

  keys() {
    return { lines: [...this.#lines.keys()], texts: [...this.#texts.keys()] }
  }
}

/** @template T @param {Map<string, Map<string, T>>} all @param {string} key */
function within(all, key) {
  const known = all.get(key) ?? new Map()
  all.set(key, known)
  return known
}
