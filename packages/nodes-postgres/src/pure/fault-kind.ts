/** What an error of the driver or the server means for a statement: retry it, its outcome is unknown, or a person has to act. */
export type FaultKind =
  /** The server rolled back the whole transaction, so it can be repeated. */
  | 'collision'
  /** There was no connection, so nothing was sent. */
  | 'unreachable'
  /** The connection broke, so it is unknown whether the statement was executed. */
  | 'cut'
  /** The connection is open but the server does not respond, so it is unknown whether the statement was executed. */
  | 'silent'
  /** The server ended the session before it executed the statement. */
  | 'shutdown'
  | 'credentials'
  | 'database'
  | 'privilege'
  /** The server cancelled the statement, because it took too long. */
  | 'timeout'
  | 'other'

const byState: Readonly<Record<string, FaultKind>> = {
  '40001': 'collision',
  '40P01': 'collision',
  '23505': 'collision',
  AGM01: 'collision',
  '55P03': 'collision',
  '57P01': 'shutdown',
  '57P02': 'shutdown',
  '57P03': 'unreachable',
  '25P03': 'shutdown',
  '57014': 'timeout',
  '53300': 'unreachable',
  '08006': 'cut',
  '08003': 'cut',
  '08001': 'unreachable',
  '08004': 'unreachable',
  '08P01': 'other',
  '28000': 'credentials',
  '28P01': 'credentials',
  '3D000': 'database',
  '42501': 'privilege',
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])
const cut = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])

export function faultKind(error: unknown): FaultKind {
  if (!(error instanceof Error)) return 'other'
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string') {
    if (unreachable.has(code)) return 'unreachable'
    if (cut.has(code)) return 'cut'
    const known = byState[code]
    if (known !== undefined) return known
  }
  return byMessage(error.message)
}

/** Classifies by message, because the driver's own errors have no code. */
function byMessage(message: string): FaultKind {
  if (
    /timeout (?:exceeded when trying to connect|expired)|Connection terminated due to connection timeout|not queryable/i.test(
      message,
    )
  )
    return 'unreachable'
  if (/Connection terminated|server closed the connection/i.test(message)) return 'cut'
  if (/Query read timeout/i.test(message)) return 'silent'
  if (/password must be a string|no password/i.test(message)) return 'credentials'
  return 'other'
}
