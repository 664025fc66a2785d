/**
 * Tells every open page which plans have changed. One feed of the log serves all pages, and it is followed only while a page is open.
 */
import type { ServerResponse } from 'node:http'
import type { FeedEvent } from '@agentm/nodes'
import type { News } from './contract/frame.ts'
import { textIn } from './pure/fields.ts'
import { short } from './pure/short.ts'

/** What the feed of the log gives until `signal` aborts, or `undefined` while there is no log. */
export type FollowLog = (signal: AbortSignal) => Promise<AsyncIterable<FeedEvent> | undefined>

/** Changes within this time are told together. */
const gatherMs = 150
/** After a feed failed, or while there is no log. */
const againMs = 2_000
/** Proxies and browsers drop lines that stay silent. */
const breathMs = 15_000
/** Each page holds one connection; a browser opens no more than a few. */
const mostPages = 50

export class LiveNews {
  readonly #follow: FollowLog
  readonly #pages = new Set<ServerResponse>()
  readonly #changed = new Set<string>()
  #gathering: NodeJS.Timeout | undefined
  #breathing: NodeJS.Timeout | undefined
  #again: NodeJS.Timeout | undefined
  #following: AbortController | undefined

  constructor(follow: FollowLog) {
    this.#follow = follow
  }

  /** Keeps the response open. False if there are too many pages. */
  add(response: ServerResponse): boolean {
    if (this.#pages.size >= mostPages) return false
    this.#pages.add(response)
    response.once('close', () => this.#remove(response))
    response.write('retry: 1000\nevent: hello\ndata: {}\n\n')
    this.#breathing ??= setInterval(() => this.#say(': still here\n\n'), breathMs)
    if (this.#following === undefined) this.#start()
    return true
  }

  close(): void {
    for (const page of this.#pages) page.end()
    this.#pages.clear()
    this.#stop()
  }

  #remove(response: ServerResponse): void {
    this.#pages.delete(response)
    if (this.#pages.size === 0) this.#stop()
  }

  #stop(): void {
    this.#following?.abort()
    this.#following = undefined
    for (const timer of [this.#gathering, this.#breathing, this.#again]) clearTimeout(timer)
    this.#gathering = this.#breathing = this.#again = undefined
    this.#changed.clear()
  }

  #start(): void {
    const following = new AbortController()
    this.#following = following
    const again = () => {
      if (!following.signal.aborted) this.#again = setTimeout(() => this.#start(), againMs)
    }
    // A page reads again after a failure: what was written meanwhile is not told one by one.
    this.#read(following.signal).then(again, again)
  }

  async #read(signal: AbortSignal): Promise<void> {
    const feed = await this.#follow(signal)
    if (feed === undefined) return
    for await (const { node } of feed) {
      if (signal.aborted) return
      const planId = node.concept === 'v1:harness:plan' ? node.id : textIn(node.payload, 'planId')
      if (planId !== undefined) this.#note(short(planId))
    }
  }

  #note(planId: string): void {
    this.#changed.add(planId)
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      const news: News = { plans: [...this.#changed] }
      this.#changed.clear()
      this.#say(`event: changed\ndata: ${JSON.stringify(news)}\n\n`)
    }, gatherMs)
  }

  /** A page that does not read is dropped: it asks again when it is back. */
  #say(text: string): void {
    for (const page of this.#pages) {
      if (page.writableLength > 1_000_000) page.destroy()
      else page.write(text)
    }
  }
}
