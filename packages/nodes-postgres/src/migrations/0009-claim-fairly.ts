import { fairHeadsFunction } from './fair-heads-function.ts'
import { takeFunction } from './take-function.ts'

/** Claims by one statement also where several partitions wait. */
export function claimFairly(s: string): string {
  return `${fairHeadsFunction(s)}
${takeFunction(s)}`
}
