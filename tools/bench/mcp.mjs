// @ts-check
/** How long a host waits for a server that it starts: from the start of the process to the answer to `initialize`. */
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { root } from '../run.mjs'
import { compare, interleave } from './frame.mjs'

const agentm = path.join(root, 'packages/cli/bin/agentm.mjs')
const peer = '@modelcontextprotocol/server-memory'
const peerCommand = path.join(import.meta.dirname, 'node_modules', peer, 'dist/index.js')

// A process that reads a line and answers with one: the least time that any server on Node takes.
const echo = 'process.stdin.once("data", () => process.stdout.write(\'{"id":0,"result":{}}\\n\'))'

export const packages = ['@agentm/mcp-server', '@agentm/cli', peer]

/** @type {readonly import('./frame.mjs').Case[]} */
export const cases = [
  {
    id: 'M1',
    what: 'MCP initialize over stdio, from nothing',
    unit: 'ms',
    better: 'less',
    goals: [{ of: 'value', atMost: 200 }],
    async measure({ repeats, scale, scratch }) {
      const cwd = path.join(scratch, 'acme')
      await mkdir(cwd)
      const file = path.join(scratch, 'memory.json')
      const env = { PATH: process.env['PATH'], HOME: scratch, XDG_CACHE_HOME: path.join(scratch, '.cache') }
      const figures = await interleave(
        {
          ours: async () => untilInitialized([agentm, 'mcp'], { cwd, env }),
          floor: async () => untilInitialized(['-e', echo], { cwd, env }),
          [peer]: async () => untilInitialized([peerCommand], { cwd, env: { ...env, MEMORY_FILE_PATH: file } }),
        },
        Math.max(3, Math.round(repeats * scale)),
      )
      return { ...compare(figures, 'less'), notes: ['the floor is node -e that answers the first line it reads'] }
    },
  },
]

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
}

/**
 * @param {readonly string[]} args @param {{ readonly cwd: string, readonly env: NodeJS.ProcessEnv }} where
 * @returns {Promise<number>} milliseconds
 */
async function untilInitialized(args, where) {
  const started = performance.now()
  const child = spawn(process.execPath, [...args], { ...where, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.stdin.write(`${JSON.stringify(initialize)}\n`)
  const line = await firstLine(child.stdout)
  const took = performance.now() - started
  child.stdin.end()
  child.kill()
  await ended
  if (!('result' in JSON.parse(line))) throw new Error(`no server answered: ${line}`)
  return took
}

/** @param {AsyncIterable<Buffer>} stream */
async function firstLine(stream) {
  let text = ''
  for await (const chunk of stream) {
    text += chunk.toString('utf8')
    if (text.includes('\n')) return text
  }
  throw new Error('the server ended without an answer')
}
