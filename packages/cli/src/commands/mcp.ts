/** The MCP server for one host, which starts it and closes its input to end it. */
import path from 'node:path'
import { serveStdio, workspacePort } from '@agentm/mcp-server'
import type { Command } from '../command.ts'
import { endSignal } from '../end-signal.ts'

export const mcp: Command = {
  summary: 'serve memory to one agent over standard input and output (MCP)',
  details:
    'A host such as Claude Code starts this command; you do not need to. To connect a host: agentm init --host HOST',
  options: { cwd: { value: 'DIR', help: 'the checkout whose memory is served (default: this directory)' } },
  async run({ cwd, get }) {
    const directory = path.resolve(cwd, get('cwd') ?? '.')
    await serveStdio({ open: () => workspacePort(directory), signal: endSignal() })
    return { text: '', data: {} }
  },
}
