// @ts-check
/**
 * `agentm` on a PATH of its own, which writes down every call: the arguments, what came in and went out, and what it cost. The time
 * is measured by the shell, so that the start of Node counts.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../packages/cli/bin/agentm.mjs', import.meta.url))

/**
 * @typedef {object} Recorded
 * @property {readonly string[]} args
 * @property {string} input
 * @property {string} out
 * @property {string} err
 * @property {number} code
 * @property {number} wallMs
 * @property {number} cpuMs
 */

/**
 * Writes `bin/agentm` and answers the directories of a PATH that begins with it.
 * @param {string} directory
 * @returns {Promise<{ readonly path: string, readonly calls: () => Promise<readonly Recorded[]> }>}
 */
export async function recordedCommand(directory) {
  const [bin, records] = [path.join(directory, 'bin'), path.join(directory, 'calls')]
  await Promise.all([bin, records].map((each) => mkdir(each, { recursive: true })))
  await writeFile(path.join(bin, 'agentm'), script(records), { mode: 0o755 })
  return {
    path: [bin, path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
    calls: async () => {
      const names = (await readdir(records)).toSorted()
      const found = await Promise.all(names.map((name) => readCall(path.join(records, name))))
      return found.flatMap((call) => call ?? [])
    },
  }
}

/** @param {string} records */
function script(records) {
  return `#!/bin/bash
# Only hooks end; the MCP server reads as long as its host lives.
if [ "$1" != hook ]; then exec '${process.execPath}' '${command}' "$@"; fi
call=$(mktemp -d '${records}'/$(date +%s%N)-XXXXXX)
printf '%s\\n' "$@" > "$call/args"
cat > "$call/input"
TIMEFORMAT='%R %U %S'
{ time '${process.execPath}' '${command}' "$@" < "$call/input" > "$call/out" 2> "$call/err"; } 2> "$call/time"
code=$?
cat "$call/out"
cat "$call/err" >&2
echo $code > "$call/code"
exit $code
`
}

/** A call that has not ended yet is left out. @param {string} directory @returns {Promise<Recorded | undefined>} */
async function readCall(directory) {
  if (!existsSync(path.join(directory, 'code'))) return undefined
  const [args = '', input = '', out = '', err = '', time = '', code = ''] = await Promise.all(
    ['args', 'input', 'out', 'err', 'time', 'code'].map((name) => readFile(path.join(directory, name), 'utf8')),
  )
  const [real = 0, user = 0, system = 0] = time.trim().split(/\s+/).map(Number)
  return {
    args: args.trimEnd().split('\n'),
    input,
    out,
    err,
    code: Number(code),
    wallMs: real * 1000,
    cpuMs: (user + system) * 1000,
  }
}
