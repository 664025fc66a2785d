/**
 * A cache of heads that this process has just written or read, so that the next decision needs no read. A cached head may be outdated. An
 * append names the versions it was decided on, so it is then refused.
 */
import type { KnownHead } from '@agentm/nodes/store-kit'

const most = 2000
const longestText = 20_000

export class RecentHeads {
  /** Payloads as text, because a caller may change a returned object. */
  readonly #heads = new Map<string, { readonly head: Omit<KnownHead, 'payload'>; readonly json: string }>()

  /** Only committed versions, because a version that was rolled back may be written again with other content. */
  note(known: KnownHead, json: string): void {
    const { payload: _payload, ...head } = known
    this.#heads.delete(head.id)
    if (json.length > longestText) return
    this.#heads.set(head.id, { head, json })
    if (this.#heads.size > most) this.forget([...this.#heads.keys()].slice(0, most / 2))
  }

  /** Caches a head that was read. The read may be older than what this process has written since. */
  saw(known: KnownHead, json: string): void {
    if ((this.#heads.get(known.id)?.head.version ?? 0) < known.version) this.note(known, json)
  }

  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#heads.delete(id)
  }

  has(ids: readonly string[]): boolean {
    return ids.every((id) => this.#heads.has(id))
  }

  /** All requested heads, or `undefined` if one is not cached. */
  find(ids: readonly string[]): Map<string, KnownHead> | undefined {
    const found = new Map<string, KnownHead>()
    for (const id of ids) {
      const recent = this.#heads.get(id)
      if (recent === undefined) return undefined
      found.set(id, { ...recent.head, payload: JSON.parse(recent.json) })
    }
    return found
  }
}
