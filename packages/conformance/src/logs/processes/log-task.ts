/** What a process of the crew is asked to do. */
export type LogTask =
  /** Appends observations one after the other, saying each acknowledged one. */
  | { readonly do: 'append'; readonly prefix: string; readonly count: number; readonly durability: 'full' | 'normal' }
  /** Tries to claim every ready step named s0, s1, …, one by one; says which it won. */
  | { readonly do: 'race'; readonly steps: number; readonly seed: number }
  /** Takes whatever is ready until nothing is left; says what it got. */
  | { readonly do: 'take'; readonly k: number }
  /** Follows the feed until so many versions came; says their sequence numbers. */
  | { readonly do: 'follow'; readonly count: number }
  /** Ends one dependency of each of so many joins, saying each. */
  | { readonly do: 'end'; readonly joins: number; readonly mate: number; readonly prefix?: string }
  /** Opens a session with a hold, takes one step and waits for its end. */
  | { readonly do: 'hold'; readonly leaseMs: number }
