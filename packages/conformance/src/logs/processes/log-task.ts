/** The task of one process of the crew. */
export type LogTask =
  /** Appends observations one after the other and reports each acknowledged one. */
  | { readonly do: 'append'; readonly prefix: string; readonly count: number; readonly durability: 'full' | 'normal' }
  /** Tries to claim every ready step named s0, s1, …, one by one, and reports those it won. */
  | { readonly do: 'race'; readonly steps: number; readonly seed: number }
  /** Claims ready steps until none are left, and reports them. */
  | { readonly do: 'take'; readonly k: number }
  /** Follows the feed for `count` versions and reports their sequence numbers. */
  | { readonly do: 'follow'; readonly count: number }
  /** Finishes one dependency of each of `joins` joins and reports each. */
  | { readonly do: 'end'; readonly joins: number; readonly mate: number; readonly prefix?: string }
  /** Opens a session with a hold, takes one step and waits for its end. */
  | { readonly do: 'hold'; readonly leaseMs: number }
