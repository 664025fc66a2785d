/**
 * Processes that share stores made for one contract. Each has its own HOME and cache directory, so that neither locks
 * nor configuration of the person running this are touched; members of one crew share theirs, as processes of one person do.
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

  /** As many at once, all of them ready before the first is told anything. */
  async hireMany(count: number, store?: string): Promise<readonly CrewMember[]> {
    return Promise.all(Array.from({ length: count }, async () => this.hire(store)))
  }

  async end(): Promise<void> {
    await Promise.all(this.#members.map(async (member) => member.kill()))
  }
}
