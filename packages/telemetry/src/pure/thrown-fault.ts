import { errorType, type Fault } from './attempt-end.ts'

/** A thrown value as an error of a span: its code or its class, and its message only if texts are exported. */
export function thrownFault(error: unknown, content: boolean): Fault {
  const facts: { code?: unknown; status?: unknown; name?: unknown; message?: unknown } =
    typeof error === 'object' && error !== null ? error : {}
  const { code, status, name, message } = facts
  const word = typeof status === 'number' ? `${status}` : (text(code) ?? text(name) ?? '_OTHER')
  return { type: errorType(word), message: content ? (text(message) ?? String(error)) : undefined }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
