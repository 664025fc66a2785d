/** Conflict copies, and both texts of a pair. */
import { redactSecrets } from '@agentm/nodes'
import type { WorkspaceReader } from '@agentm/workspace/reader'
import type { ConflictPage, ConflictRow } from '../contract/memory.ts'
import { shownText } from '../pure/shown-value.ts'

/** A list of this age is given as it is: finding the copies means looking into every directory of the store. */
const freshMs = 20_000

export class ConflictPages {
  #pairs: readonly ConflictRow[] | undefined
  #readAt = -Infinity
  #reading: Promise<readonly ConflictRow[]> | undefined

  /** What is known by now. The store is looked at beside the answer, so that nobody waits for it who only wants to see a note. */
  known(reader: WorkspaceReader): readonly ConflictRow[] {
    // A failure is forgotten here. Whoever waits for the list meets it again.
    if (this.#isOld()) this.#read(reader).catch(() => {})
    return this.#pairs ?? []
  }

  /** Waits only for the first look. */
  async list(reader: WorkspaceReader): Promise<readonly ConflictRow[]> {
    return this.#pairs === undefined ? this.#read(reader) : this.known(reader)
  }

  #isOld(): boolean {
    return Date.now() - this.#readAt > freshMs
  }

  #read(reader: WorkspaceReader): Promise<readonly ConflictRow[]> {
    return (this.#reading ??= this.#readNow(reader).finally(() => (this.#reading = undefined)))
  }

  async #readNow(reader: WorkspaceReader): Promise<readonly ConflictRow[]> {
    const pairs = await reader.conflicts()
    this.#pairs = pairs
    this.#readAt = Date.now()
    return pairs
  }

  /** `undefined` for whatever is no conflict copy, so that no other file is read by this. */
  async page(reader: WorkspaceReader, copy: string): Promise<ConflictPage | undefined> {
    const pair = (await this.list(reader)).find((each) => each.copy === copy)
    if (pair === undefined) return undefined
    const { backend } = await reader.selected()
    const [copyText, originalText] = await Promise.all(
      [pair.copy, pair.of].map(async (key) => backend.read(backend.resolve(key)).catch(() => undefined)),
    )
    return {
      ...pair,
      ...(copyText === undefined ? {} : { copyText: shown(copyText) }),
      ...(originalText === undefined ? {} : { originalText: shown(originalText) }),
    }
  }
}

function shown(text: string): string {
  return shownText(redactSecrets(text), 100_000)
}
