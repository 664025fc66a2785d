import { claimableFunction } from './claimable-function.ts'

/**
 * Claims can be told whose children they want, and of which kinds. A schema made from here on has that already; the function
 * of before, with fewer parameters, stays for processes that are at work.
 */
export function claimScope(s: string): string {
  return claimableFunction(s)
}
