/** One host over standard input and output, until it hangs up. Its earlier requests are answered first. */
import type { Readable, Writable } from 'node:stream'
import { lazyPort } from './lazy-port.ts'
import { StdioServerTransport } from './mcp-sdk.ts'
import type { OpenMemoryPort } from './memory-port.ts'
import { memoryServer, type ServerOptions } from './memory-server.ts'
import { untilIdle } from './until-idle.ts'

export interface StdioOptions extends ServerOptions {
  /** Called when a host first needs memory. */
  readonly open: OpenMemoryPort
  readonly input?: Readable
  readonly output?: Writable
  /** Ends the serving, as a host that hangs up does. */
  readonly signal?: AbortSignal
}

/**
 * Serves one host over standard input and output, until it closes them.
 *
 * @example
 * ```ts
 * import { serveStdio, workspacePort } from '@agentm/mcp-server'
 *
 * await serveStdio({ open: () => workspacePort(process.cwd()) })
 * ```
 */
export async function serveStdio({
  open,
  input = process.stdin,
  output = process.stdout,
  signal,
  ...options
}: StdioOptions): Promise<void> {
  const port = lazyPort(open)
  const transport = new StdioServerTransport(input, output)
  const ended = hangsUp({ input, output, signal })
  const server = memoryServer(port.get, options)
  // Before the first line is read: a host may have asked and hung up already.
  const idle = untilIdle(transport)
  await server.connect(transport)
  try {
    await ended
    await idle()
  } finally {
    await server.close()
    await port.close()
  }
}

interface Ends {
  readonly input: Readable
  readonly output: Writable
  readonly signal: AbortSignal | undefined
}

/** The host closed either end, or somebody asked for the end. */
function hangsUp({ input, output, signal }: Ends): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve()
    for (const event of ['end', 'close', 'error']) input.once(event, end)
    // When a host dies, its end of the pipe is closed, and a write to it fails.
    output.on('error', end)
    if (signal?.aborted === true) end()
    signal?.addEventListener('abort', end, { once: true })
  })
}
