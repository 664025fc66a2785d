/** The MCP server for one host, which starts it and closes its input to end it. */
import path from 'node:path'
import { serveStdio } from '@agentm/mcp-server'
import type { Command } from '../command.ts'
import { endSignal } from '../end-signal.ts'
import { servedDirectory } from './served-directory.ts'

export const mcp: Command = {
  summary: 'serve memory, and plans if allowed, to one agent over standard input and output (MCP)',
  details:
    'A host such as Claude Code starts this command; you do not need to. To connect a host: agentm init --host HOST. ' +
    'With mcp.plans set to read or write, the agent can also look at plans, or start and change them.',
  options: { cwd: { value: 'DIR', help: 'the checkout whose memory is served (default: this directory)' } },
  isObserved: true,
  async run(call) {
    const directory = path.resolve(call.cwd, call.get('cwd') ?? '.')
    await serveStdio({ ...servedDirectory(call, directory), signal: endSignal() })
    return { text: '', data: {} }
  },
}
