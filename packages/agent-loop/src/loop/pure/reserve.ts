/** Budget accounting: the most a call may cost is reserved before it, and the real cost is counted after it. */
export interface Spend {
  readonly tokens: number
  readonly toolCalls: number
  /** In millionths of a dollar. */
  readonly costMicros: number
}

/** A limit that is absent or 0 does not apply. */
export interface SpendLimits {
  readonly tokens?: number
  readonly toolCalls?: number
  readonly costMicros?: number
}

export interface Purse {
  readonly spent: Spend
  readonly reserved: Spend
}

export const nothing: Spend = { tokens: 0, toolCalls: 0, costMicros: 0 }
export const oneCall: Spend = { ...nothing, toolCalls: 1 }
export const emptyPurse: Purse = { spent: nothing, reserved: nothing }

/** The purse with the amount reserved, or the name of the limit that it would exceed. */
export function reserve(purse: Purse, amount: Spend, limits: SpendLimits): Purse | keyof Spend {
  for (const limit of ['tokens', 'toolCalls', 'costMicros'] as const) {
    const most = limits[limit] ?? 0
    const taken = purse.spent[limit] + purse.reserved[limit]
    if (most > 0 && amount[limit] > 0 && taken + amount[limit] > most) return limit
  }
  return { ...purse, reserved: plus(purse.reserved, amount) }
}

export function settle(purse: Purse, reserved: Spend, actual: Spend): Purse {
  return { spent: plus(purse.spent, actual), reserved: minus(purse.reserved, reserved) }
}

export function plus(a: Spend, b: Spend): Spend {
  return {
    tokens: a.tokens + b.tokens,
    toolCalls: a.toolCalls + b.toolCalls,
    costMicros: a.costMicros + b.costMicros,
  }
}

export function minus(a: Spend, b: Spend): Spend {
  return {
    tokens: Math.max(0, a.tokens - b.tokens),
    toolCalls: Math.max(0, a.toolCalls - b.toolCalls),
    costMicros: Math.max(0, a.costMicros - b.costMicros),
  }
}
