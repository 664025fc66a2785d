import { appendFunction } from './append-function.ts'
import { takeFunction } from './take-function.ts'

/** Appends of one version cost less, and claims behind an append wait for nobody who may wait for that append. */
export function turns(s: string): string {
  return `${appendFunction(s)}
${takeFunction(s)}`
}
