/** The MCP server for every host on this machine that sends the token. Runs until it is stopped. */
import path from 'node:path'
import { defaultHttpPort, serveHttp } from '@agentm/mcp-server'
import { type Call, type Command, UsageError } from '../command.ts'
import { logOption, tell } from '../log-terminal.ts'
import { endSignal } from '../end-signal.ts'
import { servedDirectory } from './served-directory.ts'

export const serve: Command = {
  summary: 'serve memory to the agents on this machine over HTTP (MCP)',
  details:
    'Listens on 127.0.0.1 only. AGENTM_MCP_TOKEN is the bearer token that every host must send, at least 16 characters; the server does not ' +
    `start without it. AGENTM_MCP_PORT is the port (default: ${defaultHttpPort}). Press Ctrl-C to stop it.`,
  options: {
    cwd: { value: 'DIR', help: 'the checkout whose memory is served (default: this directory)' },
    log: logOption,
  },
  isObserved: true,
  async run(call) {
    const directory = path.resolve(call.cwd, call.get('cwd') ?? '.')
    const end = endSignal()
    const serving = await serveHttp({
      ...servedDirectory(call, directory),
      token: call.env['AGENTM_MCP_TOKEN'],
      port: portOf(call),
    })
    tell(call.terminal, { event: 'server.started', message: `Serving memory at ${serving.url}`, url: serving.url })
    await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }))
    await serving.close()
    return { text: '', data: { url: serving.url } }
  },
}

function portOf({ env }: Call): number {
  const given = env['AGENTM_MCP_PORT']?.trim() ?? ''
  if (given === '') return defaultHttpPort
  if (!/^\d{1,5}$/.test(given))
    throw new UsageError(
      `AGENTM_MCP_PORT is ${JSON.stringify(given)}, which is not a port number. Use a number from 0 to 65535.`,
    )
  return Number(given)
}
