/** The type of failure for each error code of database engines, Node and its `fetch`. */
import type { ToolErrorType } from '../tool-error.ts'

const codes: Readonly<Record<ToolErrorType, readonly string[]>> = {
  validation: [
    'VALIDATION_FAILED',
    'MISSING_REQUIRED_FIELDS',
    'INVALID_FIELD_TYPE',
    'INVALID_ARGUMENT',
    'INVALID_OPERATOR',
    'SYNTAX_ERROR',
    'INVALID_ID',
    'INVALID_PAYLOAD',
    'INVALID_QUERY',
    'INVALID_LOCATOR',
    'GUARD_REFUSED',
    'RELATION_REFUSED',
    'ERR_INVALID_ARG_TYPE',
    'ERR_INVALID_ARG_VALUE',
    'ERR_INVALID_URL',
    'ERR_OUT_OF_RANGE',
    'EEXIST',
    'EINVAL',
    'EISDIR',
    'ENAMETOOLONG',
    'ENOTDIR',
    'ENOTEMPTY',
  ],
  permission: ['OWNER_REFUSED', 'CERT_HAS_EXPIRED', 'EACCES', 'EPERM', 'EROFS'],
  not_found: [
    'UNKNOWN_CONCEPT',
    'UNKNOWN_FUNCTION',
    'NOT_FOUND',
    'RELATIONSHIP_NOT_FOUND',
    'ABSENT_NODE',
    'ENOENT',
    'ENOTFOUND',
    'MODULE_NOT_FOUND',
    'ERR_MODULE_NOT_FOUND',
  ],
  timeout: [
    'ETIMEDOUT',
    'ESOCKETTIMEDOUT',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
  ],
  unavailable: [
    'EAGAIN',
    'EAI_AGAIN',
    'EBUSY',
    'ECONNABORTED',
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'EMFILE',
    'ENETUNREACH',
    'EPIPE',
    'ERR_STREAM_PREMATURE_CLOSE',
    'STORE_BUSY',
    'UND_ERR_SOCKET',
  ],
  internal: [],
}

const types: ReadonlyMap<string, ToolErrorType> = new Map(
  Object.entries(codes).flatMap(([type, names]) => names.map((name) => [name, type as ToolErrorType])),
)

export function typeOfCode(code: string): ToolErrorType | undefined {
  return types.get(code)
}
