/**
 * Processes that share the stores of one contract. They have their own HOME and cache directory, so that the locks and configuration of the
 * user are not touched. The processes of one crew share these directories, like the processes of one person.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackendSettings } from '@agentm/storage-seam'
import { moduleUrl } from '../load-plugin.ts'
import { CrewMember } from './crew-member-handle.ts'

export class Crew {
  readonly takeoverMs: number
  readonly #home: string
  readonly #module: string
  readonly #settings: BackendSettings
  readonly #members: CrewMember[] = []

  constructor(posting: {
    readonly home: string
    readonly module?: string
    readonly settings?: BackendSettings
    readonly takeoverMs?: number
  }) {
    this.#home = posting.home
    this.#module = posting.module ?? ''
    this.#settings = posting.settings ?? {}
    this.takeoverMs = posting.takeoverMs ?? 20_000
  }

  /** A new process with this store open. */
  async hire(store = 'store'): Promise<CrewMember> {
    const directory = join(this.#home, store)
    await mkdir(directory, { recursive: true })
    const posting = { module: await moduleUrl(this.#module), settings: this.#settings, directory }
    const member = new CrewMember(posting, {
      HOME: join(this.#home, 'home'),
      USERPROFILE: join(this.#home, 'home'),
      XDG_CACHE_HOME: join(this.#home, 'cache'),
      XDG_CONFIG_HOME: join(this.#home, 'config'),
    })
    this.#members.push(member)
    await member.hear('ready')
    return member
  }

  /** Starts several processes at once. All are ready before the first receives an order. */
  async hireMany(count: number, store?: string): Promise<readonly CrewMember[]> {
    return Promise.all(Array.from({ length: count }, async () => this.hire(store)))
  }

  async end(): Promise<void> {
    await Promise.all(this.#members.map(async (member) => member.kill()))
  }
}
