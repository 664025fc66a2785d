/** What a log contract asks beside the general `must`. */
import { isNodesError, type NodesErrorCode } from '@agentm/nodes'
import { ContractBrokenError } from '../contract-broken-error.ts'
import { must } from '../must.ts'

export const logMust = {
  equal(actual: unknown, wanted: unknown, what: string): void {
    must.equal(actual, wanted, what)
  },

  hold(condition: boolean, what: string): void {
    must.hold(condition, what)
  },

  /** A refusal with this code, and not some other failure. */
  async refuse(attempt: () => Promise<unknown>, code: NodesErrorCode, what: string): Promise<void> {
    let answer: unknown
    try {
      answer = await attempt()
    } catch (error) {
      if (isNodesError(error, code)) return
      throw new ContractBrokenError(`${what}: wanted a refusal with code ${code}, got ${String(error)}`, {
        cause: error,
      })
    }
    throw new ContractBrokenError(`${what}: wanted a refusal with code ${code}, got ${JSON.stringify(answer)}`)
  },

  /** Equal up to what two ways of adding floating-point numbers may differ. */
  near(actual: number | undefined, wanted: number, what: string): void {
    if (actual === undefined || Math.abs(actual - wanted) > 1e-5)
      throw new ContractBrokenError(`${what}: wanted ${wanted}, got ${actual}`)
  },
}
