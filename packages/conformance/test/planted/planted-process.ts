/** The journal with one fault in it, opened by processes of its own. Named as the contract that must fail, or `none`. */
import { backendContracts, type ProcessOptions } from '@agentm/conformance'

export const processContractIds: readonly string[] = backendContracts
  .filter(({ needs = [] }) => needs.includes('processes'))
  .map(({ id }) => id)

export function plantedProcess(fault: string): ProcessOptions {
  return { module: new URL('journal.mjs', import.meta.url).href, settings: { fault }, takeoverMs: 4000 }
}
