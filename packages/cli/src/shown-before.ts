/**
 * What an agent session was already shown, so that nothing is shown twice: one small file for each session, on this device. If it
 * cannot be read or written, a session may see something twice; nothing else happens.
 */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { DeviceLocalBackend } from '@agentm/backend-device-local'
import { agentmHome, type SelectionWorld } from '@agentm/selection/reader'
import type { ListedInfo, Locator } from '@agentm/storage-seam'
import { filePath } from '@agentm/vault-lock'

export class ShownBefore {
  readonly #backend: DeviceLocalBackend
  readonly #at: Locator | undefined
  #known: readonly string[] = []

  /** Without a session id nothing is remembered. */
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

  /** `anew`: the agent's context was cleared or shortened, so everything has to be shown again. */
  async add(ids: readonly string[], { anew = false } = {}): Promise<void> {
    const at = this.#at
    if (at === undefined) return
    // Creates no file for a session that was shown nothing.
    if (ids.length === 0) {
      if (anew) await this.#backend.remove(at).catch(() => {})
      return
    }
    const all = [...new Set([...(anew ? [] : this.#known), ...ids])].slice(-mostKept)
    await this.#backend.write(at, `${all.join('\n')}\n`).catch(() => {})
  }

  /** Removes the files of sessions that were not used for two weeks. */
  async clean(now: number): Promise<void> {
    try {
      const { children } = await this.#backend.listInfo(this.#backend.resolve(''))
      const isOld = (info: ListedInfo) => 'mtime' in info && !info.isDir && now / 1000 - info.mtime > keptSeconds
      for (const { locator } of children.filter(isOld).slice(0, mostCleaned)) await this.#backend.remove(locator)
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
