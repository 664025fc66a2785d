/** Some builds of SQLite lack its mathematical functions, the one in Deno among them. Recall needs one: `pow`. */
import type { Database } from './database.ts'

export function providePow(database: Database): void {
  if (!hasPow(database)) database.function('pow', { deterministic: true }, pow)
}

function pow(base: number | null, exponent: number | null): number | null {
  return base === null || exponent === null ? null : base ** exponent
}

function hasPow(database: Database): boolean {
  try {
    database.prepare('select pow(2.0, 1.0)')
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('no such function')) return false
    throw error
  }
}
