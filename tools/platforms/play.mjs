// @ts-check
/**
 * The first minute of somebody who has just installed agentm, played on the runtime that runs this file. Nothing here is
 * of the repository: this file, the installed command and Node's own modules are all it needs.
 *
 *     RUNTIME play.mjs AGENTM_MJS TRANSCRIPT
 *
 * AGENTM_MJS is the installed command, TRANSCRIPT the file that gets what was typed and what it answered. It ends with 1 when a
 * command did.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const [command = '', transcript = ''] = process.argv.slice(2)
const program = path.resolve(command)
const scratch = realpathSync.native(mkdtempSync(path.join(os.tmpdir(), 'agentm-first-minute-')))
const home = path.join(scratch, 'home')
const project = path.join(scratch, 'acme')
/** @type {string[]} */
const told = []

try {
  for (const directory of [home, project]) mkdirSync(directory)
  play()
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  writeFileSync(transcript, JSON.stringify({ home, project, text: told.join('') }))
}

function play() {
  type(['init', '--yes'])
  type(['save', 'The staging database listens on port 5433.'])
  type(['recall', 'which port does staging use?'])
  // A busy machine may need longer than hosts wait.
  type(
    ['hook', 'prompt-submit', '--within', '120000'],
    JSON.stringify({ prompt: 'Which port does the staging database use?' }),
  )
  type(['status'])
  type(['doctor'])
  askForTools()
  type(['demo'])
}

/** @param {readonly string[]} args @param {string} [input] */
function type(args, input = '') {
  const piped = input === '' ? '' : `echo '${input}' | `
  told.push(`$ ${piped}agentm ${args.map(quoted).join(' ')}\n`)
  const { stdout, stderr } = run(args, input)
  told.push(stdout, stderr, stdout === '' || (stdout + stderr).endsWith('\n') ? '' : '\n')
}

/** What a host asks of the server first. */
function askForTools() {
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'first-minute', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ]
  told.push('$ agentm mcp   (a host asks for its tools)\n')
  const { stdout } = run(
    ['mcp'],
    messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
  )
  const answers = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  const tools = answers.find(({ id }) => id === 2)?.result.tools ?? []
  told.push(`${tools.map((/** @type {{ readonly name: string }} */ { name }) => name).join(', ')}\n`)
}

/** @param {readonly string[]} args @param {string} input */
function run(args, input) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, ...args], {
    cwd: project,
    env: environment(),
    input,
    encoding: 'utf8',
    timeout: 400_000,
  })
  if (status !== 0) {
    process.exitCode = 1
    told.push(`(ended with ${status ?? error})\n`)
  }
  return { stdout, stderr }
}

/** What programs of this machine need, and nothing that leads to somebody's own files. */
function environment() {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(PATH|LANG|TZ|SystemRoot|ComSpec|PATHEXT|TEMP|TMP|TMPDIR|NODE_SKIP_PLATFORM_CHECK)$/i.test(name),
  )
  return { ...Object.fromEntries(kept), HOME: home, USERPROFILE: home, NO_COLOR: '1' }
}

/** @param {string} word */
function quoted(word) {
  return /^[\w./-]+$/.test(word) ? word : JSON.stringify(word)
}
