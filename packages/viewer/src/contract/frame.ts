/**
 * What the server and every room of the page say to each other, as JSON; each room adds its own. Ids are short: without the prefix of their
 * concept. Times are epoch milliseconds.
 */

/** What the page needs to know before it asks for anything. */
export interface About {
  readonly owner: string
  /** The project of the directory; empty if there is none. */
  readonly project: string
  readonly canWrite: boolean
  /** How a person calls agentm here, such as `npx @agentm/cli`. */
  readonly command: string
}

/** A refusal, with the status of the response. */
export interface Refused {
  readonly code: string
  readonly message: string
}

/** What became of a change. */
export interface Changed {
  readonly message: string
  /** What to look at next, if something new was made: an address of the page. */
  readonly next?: string
}

/** An event of `/api/events`: these plans have changed. */
export interface News {
  readonly plans: readonly string[]
}
