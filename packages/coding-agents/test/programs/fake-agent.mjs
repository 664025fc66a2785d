// @ts-check
/**
 * A program in place of a coding agent. Run number n does what entry n of the script says: a text is printed as a line, an object is
 * printed as JSON or, with one of the keys below, does something else; `file` gets `line` appended, as JSON. Each run leaves its arguments, its prompt and its variables.
 *
 *     node fake-agent.mjs DIRECTORY …
 */
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const [directory = '', ...args] = process.argv.slice(2)
const calls = path.join(directory, 'calls.jsonl')
const file = (/** @type {string} */ name) => {
  try {
    return readFileSync(name, 'utf8')
  } catch {
    return ''
  }
}
const runs = file(calls).split('\n').filter(Boolean).length
const prompt = readFileSync(0, 'utf8')
appendFileSync(calls, `${JSON.stringify({ args, prompt, env: process.env, cwd: process.cwd(), pid: process.pid })}\n`)
/** @type {readonly (readonly (string | Readonly<Record<string, any>>)[])[]} */
const script = JSON.parse(file(path.join(directory, 'script.json')))

for (const line of script[Math.min(runs, script.length - 1)] ?? []) {
  if (typeof line === 'string') process.stdout.write(`${line}\n`)
  else if ('daemon' in line) {
    const daemon = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true })
    writeFileSync(path.join(directory, line.daemon), `${daemon.pid}`)
    daemon.unref()
  } else if ('file' in line) {
    const kept = path.join(directory, line.file)
    mkdirSync(path.dirname(kept), { recursive: true })
    appendFileSync(kept, `${JSON.stringify(line.line)}\n`)
  } else if ('stderr' in line) process.stderr.write(`${line.stderr}\n`)
  else if ('exit' in line) process.exit(line.exit)
  else if ('kill' in line) process.kill(process.pid, line.kill)
  else if ('child' in line) {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    writeFileSync(path.join(directory, line.child), `${child.pid}`)
  } else if ('hang' in line) {
    writeFileSync(path.join(directory, 'hangs'), `${process.pid}`)
    setInterval(() => undefined, 1000)
    await new Promise(() => undefined)
  } else process.stdout.write(`${JSON.stringify(line)}\n`)
}
process.exit(0)
