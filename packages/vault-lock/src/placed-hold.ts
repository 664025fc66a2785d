/**
 * The right to write into one directory: it holds every lock that the directory's writers take, and is valid while those stay the agreed
 * locks.
 */
import { LockLostError } from './errors.ts'
import type { FilePath } from './file-path.ts'
import type { LockPlace } from './lock-place.ts'
import type { LiveHold } from './lock-queue.ts'

/** Several locks held together. It only checks whether they are held. */
export class JointHold implements LiveHold {
  readonly root: FilePath
  readonly locks: readonly FilePath[]
  /** The lock that all writers of this machine share, if one is recorded. */
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

/** The hold that work receives. It checks whether the locks are held and whether they are still the agreed ones. */
export class PlacedHold implements LiveHold {
  readonly root: FilePath
  readonly lockDirectory: FilePath
  /** The lock that this process's environment names. */
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

/** Whether work stopped because the writers switched to another lock. Nothing was written, so the work can start over. */
export function isMoved(error: unknown): boolean {
  return error instanceof LockLostError && error.isMoved
}
