/**
 * What an agent session was shown already, so that it is shown once: one small file for each session, on this device. Where it
 * cannot be read or written, a session is shown something twice, and nothing else happens.
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { DeviceLocalBackend } from '@agentm/backend-device-local'
import { agentmHome, type SelectionWorld } from '@agentm/selection/reader'
import type { Locator } from '@agentm/storage-seam'
import { filePath } from '@agentm/vault-lock'

export class ShownBefore {
  readonly #backend: DeviceLocalBackend
  readonly #at: Locator | undefined
  #known: readonly string[] = []

  /** Without a session nothing is known, and nothing is kept. */
  constructor(world: SelectionWorld, session: string | undefined) {
    this.#backend = new DeviceLocalBackend(filePath(path.join(agentmHome(world), 'hooks')), { privateRoot: true })
    if (session !== undefined) this.#at = this.#backend.resolve(`${nameOf(session)}.txt`)
  }

  async known(): Promise<ReadonlySet<string>> {
    if (this.#at !== undefined)
      this.#known = await this.#backend.read(this.#at).then(
        (text) => text.split('\n').filter((id) => id !== ''),
        () => [],
      )
    return new Set(this.#known)
  }

  /** Whoever begins anew, after its context was cleared or shortened, has to be shown everything again. */
  async add(ids: readonly string[], { anew = false } = {}): Promise<void> {
    const at = this.#at
    if (at === undefined) return
    // Where nothing was shown, nothing is made; what was known is gone all the same.
    if (ids.length === 0) {
      if (anew) await this.#backend.remove(at).catch(() => {})
      return
    }
    const all = [...new Set([...(anew ? [] : this.#known), ...ids])].slice(-mostKept)
    await this.#backend.write(at, `${all.join('\n')}\n`).catch(() => {})
  }

  /** Sessions that said nothing for long are over. */
  async clean(now: number): Promise<void> {
    try {
      const found = await this.#backend.list(this.#backend.resolve(''))
      const infos = await Promise.all(found.slice(0, mostCleaned).map((at) => this.#backend.info(at)))
      const old = infos.filter(({ isDir, mtime }) => !isDir && now / 1000 - mtime > keptSeconds)
      for (const { locator } of old) await this.#backend.remove(locator)
    } catch {
      // The next session tries again.
    }
  }
}

const mostKept = 5000
const mostCleaned = 1000
const keptSeconds = 14 * 86_400

function nameOf(session: string): string {
  return createHash('sha256').update(session).digest('hex').slice(0, 32)
}
