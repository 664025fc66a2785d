// @ts-check
/**
 * Real coding agents from npm, run headless with a home of their own against a model server on loopback. Nothing of the person's
 * environment reaches them: no key, no proxy, no configuration.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** @typedef {'claude-code' | 'codex' | 'gemini' | 'opencode'} ClientName */

/** What is installed. The versions are pinned, because a client's hooks and session files change from week to week. */
export const versions = {
  '@anthropic-ai/claude-code': '2.1.328',
  '@openai/codex': '0.169.0',
  '@google/gemini-cli': '0.61.0',
  'opencode-ai': '1.18.33',
}

const cache = fileURLToPath(new URL('../../node_modules/.cache/agentm-clients/', import.meta.url))

/**
 * Installs the clients once, from npm. `undefined` where the registry cannot be reached, with the reason in `why`.
 * @param {string} [directory]
 * @returns {Promise<{ readonly directory: string } | { readonly why: string }>}
 */
export async function installClients(directory = process.env['AGENTM_CLIENTS'] ?? cache) {
  const wanted = JSON.stringify(versions)
  if (await holds(directory, wanted)) return { directory }
  await mkdir(path.dirname(directory), { recursive: true })
  // Made beside its place and moved there when it is whole, because two test runs may install at once.
  const making = await mkdtemp(`${directory.replace(/[\\/]$/, '')}-`)
  await writeFile(path.join(making, 'package.json'), '{"private":true}')
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  try {
    // Their binaries are packages of their own; the install scripts only move them.
    await promisify(execFile)(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...packages],
      { cwd: making, maxBuffer: 2 ** 26 },
    )
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    const said = error instanceof Error ? error.message : String(error)
    return {
      why: `npm could not install the clients: ${said.split('\n').find((line) => / code E/.test(line)) ?? said}`,
    }
  }
  await writeFile(path.join(making, 'installed.json'), wanted)
  if (!(await holds(directory, wanted))) await rm(directory, { recursive: true, force: true })
  await rename(making, directory).catch(async (error) => {
    await rm(making, { recursive: true, force: true })
    if (!(await holds(directory, wanted))) throw error
  })
  return { directory }
}

/** Whether these versions are installed there. @param {string} directory @param {string} wanted */
async function holds(directory, wanted) {
  return (await readFile(path.join(directory, 'installed.json'), 'utf8').catch(() => '')) === wanted
}

/**
 * How a client is started, configured and told where its model is.
 * @typedef {object} Client
 * @property {(modules: string) => readonly string[]} command
 * @property {(url: string) => Readonly<Record<string, string>>} env
 * @property {(place: { readonly home: string, readonly repo: string, readonly url: string }) => Promise<void>} configure
 * @property {(prompt: string, how: Prompted) => readonly string[]} args
 * @property {{ shell: (command: string) => Call, read?: (file: string) => Call, edit: (file: string, from: string, to: string) => Call, recall: string }} tools `recall` is what it calls our tool memory_recall
 */

/** @typedef {readonly [tool: string, input: Readonly<Record<string, unknown>> | string]} Call */

/**
 * @typedef {object} Prompted
 * @property {string} [session] the session to continue
 * @property {boolean} [isForked]
 * @property {readonly string[]} [more] further arguments
 */

const platform = `${process.platform}-${process.arch}`

/** @type {Readonly<Record<ClientName, Client>>} */
export const clients = {
  'claude-code': {
    command: (modules) => [path.join(modules, `@anthropic-ai/claude-code-${platform}/claude`)],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    }),
    // What the person answers when Claude Code asks for the first time.
    configure: ({ home }) =>
      written(path.join(home, '.claude/settings.json'), JSON.stringify({ enableAllProjectMcpServers: true })),
    args: (prompt, { session, isForked = false, more = [] }) => [
      '--print',
      prompt,
      ...(session === undefined ? [] : ['--resume', session]),
      ...(isForked ? ['--fork-session'] : []),
      ...more,
      '--allowedTools',
      'Bash Edit Read Write Task Agent mcp__agentm',
    ],
    tools: {
      recall: 'mcp__agentm__memory_recall',
      shell: (command) => ['Bash', { command, description: 'Run a command' }],
      read: (file) => ['Read', { file_path: file }],
      edit: (file, from, to) => ['Edit', { file_path: file, old_string: from, new_string: to }],
    },
  },
  codex: {
    command: (modules) => [process.execPath, path.join(modules, '@openai/codex/bin/codex.js')],
    env: () => ({ AGENTM_TEST_KEY: 'dummy' }),
    configure: ({ home, repo, url }) =>
      written(
        path.join(home, '.codex/config.toml'),
        [
          'model = "scripted"',
          'model_provider = "scripted"',
          'check_for_update_on_startup = false',
          '[model_providers.scripted]',
          'name = "scripted"',
          `base_url = "${url}/v1"`,
          'env_key = "AGENTM_TEST_KEY"',
          'wire_api = "responses"',
          '[analytics]',
          'enabled = false',
          '[otel]',
          'exporter = "none"',
          `[projects."${repo}"]`,
          'trust_level = "trusted"',
          '',
        ].join('\n'),
      ),
    args: (prompt, { session, isForked = false, more = [] }) => [
      'exec',
      ...(session === undefined ? [] : [isForked ? 'fork' : 'resume']),
      '--dangerously-bypass-approvals-and-sandbox',
      // The hooks are ours; a person looks at them once, with /hooks.
      '--dangerously-bypass-hook-trust',
      ...more,
      ...(session === undefined ? [] : [session]),
      prompt,
    ],
    tools: {
      recall: 'mcp__agentm/memory_recall',
      shell: (cmd) => ['exec_command', { cmd }],
      edit: (file, from, to) => [
        'exec_command',
        {
          cmd: `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: ${file}\n@@\n-${from}\n+${to}\n*** End Patch\nEOF`,
        },
      ],
    },
  },
  gemini: {
    command: (modules) => [process.execPath, path.join(modules, '@google/gemini-cli/bundle/gemini.js')],
    env: (url) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url }),
    configure: async ({ home, repo }) => {
      await written(
        path.join(home, '.gemini/settings.json'),
        JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' } },
          general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
        }),
      )
      // What /permissions trust writes.
      await written(path.join(home, '.gemini/trustedFolders.json'), JSON.stringify({ [repo]: 'TRUST_FOLDER' }))
    },
    args: (prompt, { session, more = [] }) => [
      '--yolo',
      '--skip-trust',
      '--model',
      'gemini-2.5-pro',
      ...(session === undefined ? [] : ['--resume', session]),
      ...more,
      '--prompt',
      prompt,
    ],
    tools: {
      recall: 'mcp_agentm_memory_recall',
      read: (file) => ['read_file', { file_path: file }],
      shell: (command) => ['run_shell_command', { command, description: 'Run a command' }],
      edit: (file, from, to) => [
        'replace',
        { file_path: file, old_string: from, new_string: to, instruction: 'Correct the sum.' },
      ],
    },
  },
  opencode: {
    command: (modules) => [path.join(modules, `opencode-${platform}/bin/opencode`)],
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    configure: ({ home, url }) =>
      written(
        path.join(home, '.config/opencode/opencode.json'),
        JSON.stringify({
          // opencode would add it to the file.
          $schema: 'https://opencode.ai/config.json',
          model: 'scripted/scripted',
          small_model: 'scripted/scripted',
          autoupdate: false,
          share: 'disabled',
          permission: 'allow',
          provider: {
            scripted: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Scripted',
              options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
              models: { scripted: { name: 'Scripted', limit: { context: 128_000, output: 8000 } } },
            },
          },
        }),
      ),
    args: (prompt, { session, isForked = false, more = [] }) => [
      'run',
      ...(session === undefined ? [] : ['--session', session]),
      ...(isForked ? ['--fork'] : []),
      ...more,
      prompt,
    ],
    tools: {
      recall: 'agentm_memory_recall',
      read: (file) => ['read', { filePath: file }],
      shell: (command) => ['bash', { command, description: 'Run a command' }],
      edit: (file, from, to) => ['edit', { filePath: file, oldString: from, newString: to }],
    },
  },
}

/** @param {string} file @param {string} text */
async function written(file, text) {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

/**
 * Runs a client to its end, with nothing on standard input.
 * @param {ClientName} name
 * @param {{ readonly directory: string, readonly home: string, readonly repo: string, readonly url: string, readonly path: string, readonly args: readonly string[], readonly timeoutMs?: number }} run
 * @returns {Promise<{ readonly code: number | string, readonly out: string, readonly err: string }>}
 */
export async function runClient(name, { directory, home, repo, url, path: searched, args, timeoutMs = 120_000 }) {
  const client = clients[name]
  const [command = '', ...first] = client.command(path.join(directory, 'node_modules'))
  const child = spawn(command, [...first, ...args], {
    cwd: repo,
    // Nothing else: a variable of the person's could name a key, a proxy or another model.
    env: {
      HOME: home,
      PATH: searched,
      TMPDIR: path.join(home, 'tmp'),
      // Whatever would go to the internet goes to our server, which writes it down and refuses.
      HTTPS_PROXY: url,
      HTTP_PROXY: url,
      NO_PROXY: '127.0.0.1,localhost',
      ...client.env(url),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a run that takes too long ends with everything it started.
    detached: true,
  })
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), timeoutMs)
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text))
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status, signal) => resolve(status ?? signal ?? -1))
  })
  clearTimeout(timer)
  return { code, out, err }
}
