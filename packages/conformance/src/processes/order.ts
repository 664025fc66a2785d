/** The messages between the process that runs a contract and its crew, one JSON line each. */
export type Order =
  | { readonly do: 'read' | 'list' | 'hold'; readonly key: string }
  | { readonly do: 'write'; readonly key: string; readonly text: string; readonly ifHash?: string | null }
  /** One update per line. */
  | { readonly do: 'append'; readonly key: string; readonly lines: readonly string[] }
  /** Writes sealed texts of this length, one after the other, until it is killed. */
  | { readonly do: 'rewrite'; readonly key: string; readonly length: number }

export type Reply =
  | { readonly is: 'ready' | 'inside' | 'writing' }
  | { readonly is: 'answer'; readonly value: unknown }
  | { readonly is: 'refusal'; readonly code: string; readonly message: string }

/** What a crew member opens. */
export interface Posting {
  /** URL of the module that exports `plugin`. */
  readonly module: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly directory: string
}
