// Runs programs as steps and agents do, each with something it starts itself; all of them tell their process id.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemRuntime } from '../../dist/index.js'
import { runProgram } from '../../dist/programs/run-program.js'
import { shellTools } from '../../dist/tools/index.js'

const root = process.argv[2] ?? ''
const { signal } = new AbortController()
const runtime = systemRuntime

/** @param {string} line */
async function run(line) {
  const environment = { PATH: process.env['PATH'] ?? '' }
  const program = { command: 'sh', args: ['-c', line], directory: root, environment, stdin: undefined }
  await runProgram({ ...program, maxOutputBytes: 100 }, { signal, runtime })
}

/** @param {string} name */
const tell = (name) => `echo $$ > ${name}; sleep 600 & echo $! > ${name}-child; wait`

void run(tell('step'))
void run(`trap '' TERM; ${tell('deaf')}`)

const tools = shellTools({ root, policy: { allow: [], interpret: true }, runtime })
const loop = { onEnd: () => undefined }
for (const name of ['shell', 'shell_start'])
  void tools
    .find((tool) => tool.name === name)
    ?.run({ line: tell(name), directory: '.' }, { signal, key: 'k', attempt: 0, loop })

// Ended before this process does; what it leaves behind is no business of a guard.
await run('sleep 600 > /dev/null 2>&1 & echo $! > left')
// Said in a turn of its own: whoever started a program by then has also told its guard.
const names = [
  'step',
  'step-child',
  'deaf',
  'deaf-child',
  'shell',
  'shell-child',
  'shell_start',
  'shell_start-child',
  'left',
]
while (!names.every(told)) await sleep(10)
process.stdout.write('all run')
setInterval(() => 0, 1000)

/** @param {string} name */
function told(name) {
  const file = path.join(root, name)
  return existsSync(file) && readFileSync(file).length > 0
}
