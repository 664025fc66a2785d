/** Waits until every request that came over a transport was answered. */
import type { Transport } from './mcp-sdk.ts'
import type { RequestId } from './mcp-sdk.ts'
import {
  CancelledNotificationSchema,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from './mcp-sdk.ts'

/** For a transport that no server is connected to yet: the server takes the messages on after it has seen them. */
export function untilIdle(transport: Transport): () => Promise<void> {
  const open = new Set<RequestId>()
  let wake: (() => void) | undefined
  const send = transport.send.bind(transport)
  const watching: Pick<Transport, 'onmessage' | 'send'> = {
    onmessage(message) {
      if (isJSONRPCRequest(message)) open.add(message.id)
      // A cancelled request gets no answer.
      const { data } = CancelledNotificationSchema.safeParse(message)
      if (data?.params.requestId !== undefined) open.delete(data.params.requestId)
    },
    async send(message, options) {
      try {
        await send(message, options)
      } finally {
        const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)
        if (isAnswer && message.id !== undefined) open.delete(message.id)
        if (open.size === 0) wake?.()
      }
    },
  }
  Object.assign(transport, watching)
  return () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => (wake = resolve)))
}
