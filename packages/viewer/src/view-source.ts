/** What the page reads and changes: the workspace of one directory, opened when it is first needed. */
import type { FeedEvent } from '@agentm/nodes'
import type { Workspace } from '@agentm/workspace'
import {
  openWorkspaceReader,
  type PlansReader,
  type WorkspacePlace,
  type WorkspaceReader,
} from '@agentm/workspace/reader'

type Plans = Awaited<ReturnType<Workspace['plans']>>
type Memory = Awaited<ReturnType<Workspace['memory']>>

export class ViewSource {
  readonly #place: WorkspacePlace
  readonly #owner: { readonly owner?: string }
  #reader: Promise<WorkspaceReader> | undefined
  #workspace: Promise<Workspace> | undefined
  #hasMemory = false

  /** `owner` stands in for the one of the config. */
  constructor(place: WorkspacePlace, owner?: string) {
    this.#place = place
    this.#owner = owner === undefined ? {} : { owner }
  }

  /** Everything that is only read. */
  async reader(): Promise<WorkspaceReader> {
    return this.#open()
  }

  async owner(): Promise<string> {
    return (await this.#open()).owner()
  }

  /** Empty if the directory belongs to none, or if that cannot be told. */
  async project(): Promise<string> {
    const project = await (await this.#open()).project().catch(() => undefined)
    return project?.slug ?? ''
  }

  /** `undefined` while no log was ever written. Asked again, it looks again. */
  async plans(): Promise<PlansReader | undefined> {
    const opening = this.#open()
    const reader = await opening
    const plans = await reader.plans().catch(async (error: unknown) => {
      await this.#forget(opening)
      throw error
    })
    if (plans === undefined) await this.#forget(opening)
    return plans
  }

  async follow(signal: AbortSignal): Promise<AsyncIterable<FeedEvent> | undefined> {
    const plans = await this.plans()
    const concepts = ['v1:harness:plan', 'v1:harness:step', 'v1:harness:entry', 'v1:harness:observation']
    return plans?.log.feed({ owner: plans.owner, concepts, signal })
  }

  /** Loaded with the first change, because a page that only reads needs none of it. */
  async plansToChange(): Promise<Plans> {
    return (await this.workspace()).plans()
  }

  /** Asks the log; `undefined` while none was ever written. Asked again, it looks again. */
  async fromLog<T>(ask: (reader: WorkspaceReader, owner: string) => Promise<T | undefined>): Promise<T | undefined> {
    const opening = this.#open()
    const reader = await opening
    const told = await ask(reader, await reader.owner())
    if (told === undefined) await this.#forget(opening)
    return told
  }

  /** Opened when it is first needed, and once. */
  async workspace(): Promise<Workspace> {
    return (this.#workspace ??= import('@agentm/workspace').then(({ openWorkspace }) =>
      openWorkspace(this.#place, { actor: 'viewer', ...this.#owner }),
    ))
  }

  /**
   * `undefined` while nothing was ever kept here. One memory serves reading and writing, because it holds the index of all notes. It keeps
   * the index of this device up to date, as `agentm recall` does.
   */
  async memory(): Promise<Memory | undefined> {
    this.#hasMemory ||= await this.#findMemory()
    return this.#hasMemory ? this.memoryToChange() : undefined
  }

  async memoryToChange(): Promise<Memory> {
    return (await this.workspace()).memory()
  }

  async close(): Promise<void> {
    await (await this.#reader?.catch(() => undefined))?.close()
    await (await this.#workspace?.catch(() => undefined))?.close()
  }

  /** With a reader of its own, because a memory that is open holds its words and its files until its reader is closed. */
  async #findMemory(): Promise<boolean> {
    const reader = await openWorkspaceReader(this.#place, this.#owner)
    try {
      return (await reader.memory()) !== undefined
    } finally {
      await reader.close()
    }
  }

  #open(): Promise<WorkspaceReader> {
    return (this.#reader ??= openWorkspaceReader(this.#place, this.#owner))
  }

  /** A reader remembers that there was no log, or why it could not be opened. */
  async #forget(opening: Promise<WorkspaceReader>): Promise<void> {
    if (this.#reader !== opening) return
    this.#reader = undefined
    await (await opening.catch(() => undefined))?.close()
  }
}
