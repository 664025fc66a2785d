/** The right to write into one directory: every lock that its writers take, for as long as those are the ones they take. */
import { LockLostError } from './errors.ts'
import type { FilePath } from './file-path.ts'
import type { LockPlace } from './lock-place.ts'
import type { LiveHold } from './lock-queue.ts'

/** Locks that are held together. Asked whether they are held, and nothing else. */
export class JointHold implements LiveHold {
  readonly root: FilePath
  readonly locks: readonly FilePath[]
  /** The one that all writers of this machine take, as far as that is written down. */
  readonly lockDirectory: FilePath
  readonly #held: readonly LiveHold[]
  readonly #place: LockPlace

  constructor(root: FilePath, held: readonly LiveHold[], place: LockPlace) {
    this.root = root
    this.locks = held.map(({ lockDirectory }) => lockDirectory)
    this.lockDirectory = this.locks.find((lock) => lock !== place.own) ?? place.own
    this.#held = held
    this.#place = place
  }

  get tag(): string | undefined {
    return this.#place.tag
  }

  get deaths(): bigint {
    return this.#held.reduce((sum, { deaths }) => sum + deaths, 0n)
  }

  get late(): boolean {
    return this.#held.some(({ late }) => late)
  }

  async check(): Promise<void> {
    for (const hold of this.#held) await hold.check()
  }
}

/** What work gets: asked whether they are held, and still the ones to hold. */
export class PlacedHold implements LiveHold {
  readonly root: FilePath
  readonly lockDirectory: FilePath
  /** The lock of this process's environment. */
  readonly own: FilePath
  readonly #joint: JointHold
  readonly #place: LockPlace

  constructor(joint: JointHold, place: LockPlace) {
    this.root = joint.root
    this.lockDirectory = joint.lockDirectory
    this.own = place.own
    this.#joint = joint
    this.#place = place
  }

  get tag(): string | undefined {
    return this.#joint.tag
  }

  get deaths(): bigint {
    return this.#joint.deaths
  }

  get late(): boolean {
    return this.#joint.late
  }

  async check(): Promise<void> {
    await this.#joint.check()
    if (!(await this.#place.mayChange(this.#joint.locks, this.#joint))) throw moved(this.lockDirectory)
  }
}

export function moved(lockDirectory: string): LockLostError {
  return new LockLostError(lockDirectory, 'its writers have agreed on another one', { isMoved: true })
}

/** Whether nothing was done because of that; what began under the wrong lock can begin again. */
export function isMoved(error: unknown): boolean {
  return error instanceof LockLostError && error.isMoved
}
