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

export class ViewSource {
  readonly #place: WorkspacePlace
  #reader: Promise<WorkspaceReader> | undefined
  #workspace: Promise<Workspace> | undefined

  constructor(place: WorkspacePlace) {
    this.#place = place
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
    const concepts = ['v1:harness:plan', 'v1:harness:step', 'v1:harness:observation']
    return plans?.log.feed({ owner: plans.owner, concepts, signal })
  }

  /** Loaded with the first change, because a page that only reads needs none of it. */
  async plansToChange(): Promise<Plans> {
    this.#workspace ??= import('@agentm/workspace').then(({ openWorkspace }) =>
      openWorkspace(this.#place, { actor: 'viewer' }),
    )
    return (await this.#workspace).plans()
  }

  async close(): Promise<void> {
    await (await this.#reader?.catch(() => undefined))?.close()
    await (await this.#workspace?.catch(() => undefined))?.close()
  }

  #open(): Promise<WorkspaceReader> {
    return (this.#reader ??= openWorkspaceReader(this.#place))
  }

  /** A reader remembers that there was no log, or why it could not be opened. */
  async #forget(opening: Promise<WorkspaceReader>): Promise<void> {
    if (this.#reader !== opening) return
    this.#reader = undefined
    await (await opening.catch(() => undefined))?.close()
  }
}
