import { isNodesError, type NodesErrorCode } from '@agentm/nodes'

const final: readonly NodesErrorCode[] = ['CORRUPT_STORE', 'STORE_NEWER', 'UNSAFE_PLACE', 'STORE_CLOSED']

/**
 * Whether retrying cannot help, because the store is damaged, closed, or in a form that this program does not know.
 *
 * @example
 * ```ts
 * import { isFinalFault } from '@agentm/harness'
 *
 * console.log(isFinalFault(new Error('the network is down'))) // false
 * ```
 */
export function isFinalFault(error: unknown): boolean {
  return final.some((code) => isNodesError(error, code))
}
