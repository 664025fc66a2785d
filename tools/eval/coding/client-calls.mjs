// @ts-check
/** What the erring model does, in the tools of a real coding agent. */
import path from 'node:path'
import { modelAddress } from './work-apart.mjs'

/** @typedef {import('./erring-model.mjs').Call} Call */
/** @typedef {import('../../clients/clients.mjs').Call} ClientCall */
/** @typedef {{ readonly root: string, readonly outside: string }} Places `outside` is a file that the agent must not write */

/** Not allowed: Claude Code gets no git, and the sandbox of Codex keeps the repository as it is. */
const commit = `git -c user.name=a -c user.email=${modelAddress} commit --allow-empty -qam fix`

/** @type {Readonly<Record<'claude-code' | 'codex', (call: Call, places: Places) => ClientCall>>} */
export const clientCalls = {
  'claude-code'([tool, args], { root, outside }) {
    const fields = textsOf(args)
    const file = path.join(root, fields['path'] ?? '')
    if (tool === 'files_read') return ['Read', { file_path: file }]
    if (tool === 'files_write') return ['Write', { file_path: file, content: fields['text'] }]
    if (tool === 'shell') return bash(commandOf(args))
    // What it asks for and may not do.
    if (tool === 'edit_file') return ['Write', { file_path: outside, content: 'escaped\n' }]
    return bash(tool === 'git_commit' ? commit : 'node --test')
  },
  codex([tool, args], { outside }) {
    const { path: file = '', text = '' } = textsOf(args)
    if (tool === 'files_read') return run(`cat ${file}`)
    // A patch cannot add an empty file.
    if (tool === 'files_write') return run(text === '' ? `: > ${file}` : patchCommand(file, text))
    if (tool === 'shell') return run(commandOf(args))
    if (tool === 'edit_file') return run(`echo escaped > ${outside}`)
    return run(tool === 'git_commit' ? commit : `rm ${path.dirname(outside)}/none`)
  },
}

/** @param {string} command @returns {ClientCall} */
function bash(command) {
  return ['Bash', { command, description: 'Run a command' }]
}

/** @param {string} cmd @returns {ClientCall} */
function run(cmd) {
  return ['exec_command', { cmd }]
}

/** @param {string} file @param {string} text */
function patchCommand(file, text) {
  const lines = text.replace(/\n$/u, '').split('\n')
  const added = lines.map((line) => `+${line}`).join('\n')
  return `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${file}\n${added}\n*** End Patch\nEOF`
}

/** @param {object} args @returns {Readonly<Record<string, string>>} */
function textsOf(args) {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => typeof value === 'string'))
}

/** @param {object} args */
function commandOf(args) {
  const { program = '' } = textsOf(args)
  return [program, ...('args' in args && Array.isArray(args.args) ? args.args : [])].join(' ')
}
