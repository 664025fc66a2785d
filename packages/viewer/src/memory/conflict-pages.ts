/** Conflict copies, and both texts of a pair. */
import { redactSecrets } from '@agentm/nodes'
import type { WorkspaceReader } from '@agentm/workspace/reader'
import type { ConflictPage, ConflictRow } from '../contract/memory.ts'
import { shownText } from '../pure/shown-value.ts'

/** A list of this age is given as it is: finding the copies means looking into every directory of the store. */
const freshMs = 20_000

export class ConflictPages {
  #pairs: readonly ConflictRow[] = []
  #readAt = -Infinity

  changed(): void {
    this.#readAt = -Infinity
  }

  async list(reader: WorkspaceReader): Promise<readonly ConflictRow[]> {
    if (Date.now() - this.#readAt > freshMs) {
      this.#pairs = await reader.conflicts()
      this.#readAt = Date.now()
    }
    return this.#pairs
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
