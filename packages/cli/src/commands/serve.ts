/** The MCP server for every host of this machine that bears the token, until it is told to end. */
import path from 'node:path'
import { defaultHttpPort, serveHttp, workspacePort } from '@agentm/mcp-server'
import { type Call, type Command, UsageError } from '../command.ts'
import { endSignal } from '../end-signal.ts'

export const serve: Command = {
  summary: 'serve memory to agents of this machine over HTTP',
  details:
    'Listens on 127.0.0.1. AGENTM_MCP_TOKEN is what every host must send as a bearer token, 16 characters or more;\n' +
    `without it nothing is served. AGENTM_MCP_PORT is the port, otherwise ${defaultHttpPort}. Ctrl-C ends it.`,
  options: { cwd: { value: 'DIR', help: 'the checkout whose memory is served; otherwise this directory' } },
  async run(call) {
    const directory = path.resolve(call.cwd, call.get('cwd') ?? '.')
    const end = endSignal()
    const serving = await serveHttp({
      open: () => workspacePort(directory),
      token: call.env['AGENTM_MCP_TOKEN'],
      port: portOf(call),
    })
    call.terminal.err(`Serving memory at ${serving.url}\n`)
    await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }))
    await serving.close()
    return { text: '', data: { url: serving.url } }
  },
}

function portOf({ env }: Call): number {
  const given = env['AGENTM_MCP_PORT']?.trim() ?? ''
  if (given === '') return defaultHttpPort
  if (!/^\d{1,5}$/.test(given)) throw new UsageError(`AGENTM_MCP_PORT is ${JSON.stringify(given)}, which is no port.`)
  return Number(given)
}
