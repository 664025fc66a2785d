/** The assertions of contracts, so that they need no test framework. Each message says what was checked. */
import { isDeepStrictEqual } from 'node:util'
import { isSeamError, type SeamErrorCode } from '@agentm/storage-seam'
import { ContractBrokenError } from './contract-broken-error.ts'

export const must = {
  /** Checks deep equality. */
  equal(actual: unknown, wanted: unknown, what: string): void {
    if (!isDeepStrictEqual(actual, wanted))
      throw new ContractBrokenError(`${what}: wanted ${shown(wanted)}, got ${shown(actual)}`)
  },

  hold(condition: boolean, what: string): void {
    if (!condition) throw new ContractBrokenError(what)
  },

  /** Checks that the call is refused with this code and does not fail in another way. */
  async refuse(attempt: () => unknown, code: SeamErrorCode, what: string): Promise<void> {
    const error = await failureOf(attempt, `${what}: wanted a refusal with code ${code}`)
    if (!isSeamError(error, code))
      throw new ContractBrokenError(`${what}: wanted a refusal with code ${code}, got ${shownError(error)}`, {
        cause: error,
      })
  },

  /** Checks that the call fails in any way. */
  async fail(attempt: () => unknown, what: string): Promise<void> {
    await failureOf(attempt, `${what}: wanted a refusal`)
  },
}

async function failureOf(attempt: () => unknown, wanted: string): Promise<unknown> {
  let answer: unknown
  try {
    answer = await attempt()
  } catch (error) {
    return error
  }
  throw new ContractBrokenError(`${wanted}, got ${shown(answer)}`)
}

function shownError(error: unknown): string {
  if (!(error instanceof Error)) return shown(error)
  return `${error.name}${'code' in error ? ` (${String(error.code)})` : ''}: ${error.message}`
}

/** Long texts are cut: a report is read by people. */
function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value, inFull) ?? typeof value)
  return text.length <= 160 ? text : `${text.slice(0, 120)}… (${text.length} characters)`
}

/** Shows sets and maps in full, because JSON would show them as empty. */
function inFull(_key: string, value: unknown): unknown {
  return value instanceof Set || value instanceof Map ? [...value] : value
}
