/** The MCP server for one host, which starts it and hangs up when it is done. */
import path from 'node:path'
import { serveStdio, workspacePort } from '@agentm/mcp-server'
import type { Command } from '../command.ts'
import { endSignal } from '../end-signal.ts'

export const mcp: Command = {
  summary: 'serve memory to one agent over standard input and output',
  details: 'Started by a host, not by hand. agentm init --mcp HOST tells a host how.',
  options: { cwd: { value: 'DIR', help: 'the checkout whose memory is served; otherwise this directory' } },
  async run({ cwd, get }) {
    const directory = path.resolve(cwd, get('cwd') ?? '.')
    await serveStdio({ open: () => workspacePort(directory), signal: endSignal() })
    return { text: '', data: {} }
  },
}
