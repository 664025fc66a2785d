// @ts-check
/**
 * Two processes write one store. One is killed with SIGKILL in the middle of a write. Nothing that was acknowledged is
 * lost, the note is never half a note, and the other process goes on. Exit code 1 if any of that is not so.
 *
 * On Linux it takes a second or two: the other process asks the kernel whether the holder of the lock is still there. Elsewhere
 * it takes some twelve seconds, because there a lock counts as dead ten seconds after its holder's last sign of life.
 *
 * An argument names another writer, for the test that plants one which loses lines.
 */
import { fork } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {{ readonly name: string, readonly child: import('node:child_process').ChildProcess, readonly acknowledged: string[] }} Writer */

const began = performance.now()
const scratch = await mkdtemp(path.join(os.tmpdir(), 'agentm-demo-'))
const root = path.join(scratch, 'store')
const writerFile = process.argv[2] ?? path.join(import.meta.dirname, 'demo', 'writer.mjs')
/** @type {Writer[]} */
const writers = []
try {
  await mkdir(root)
  process.exitCode = (await play()) ? 0 : 1
} finally {
  for (const { child } of writers) child.kill('SIGKILL')
  await rm(scratch, { recursive: true, force: true })
}

async function play() {
  say('a store in an empty directory, one note in it: note.md')
  const anna = startWriter('anna')
  const ben = startWriter('ben')
  say(`anna is process ${anna.child.pid}, ben is process ${ben.child.pid}; each adds line after line to that note`)
  await until(() => anna.acknowledged.length >= 20 && ben.acknowledged.length >= 20)
  say(`so far anna was told "written" ${anna.acknowledged.length} times, ben ${ben.acknowledged.length} times`)

  anna.child.send('now a large one')
  const size = await largeWriteUnderWay()
  const gone = new Promise((done) => anna.child.once('exit', done))
  anna.child.kill('SIGKILL')
  await gone
  say(`anna was writing a large entry: kill -9 in the middle, ${size} bytes of it lie beside the note`)
  const afterKill = await linesOf()
  const kept = anna.acknowledged.filter((line) => afterKill.some((each) => isSame(each, line))).length
  say(
    `the note has ${afterKill.length} lines, among them ${kept} of the ${anna.acknowledged.length} that anna was told of`,
  )

  const before = ben.acknowledged.length
  say('anna died holding the lock: ben has to notice that, and to take it over …')
  await until(() => ben.acknowledged.length >= before + 20)
  say('ben took the lock over and goes on: 20 more lines')
  await stop(ben)

  const lines = await linesOf()
  const acknowledged = [...anna.acknowledged, ...ben.acknowledged]
  const lost = acknowledged.filter((line) => !lines.some((each) => isSame(each, line)))
  const doubled = lines.length - new Set(lines).size
  const torn = [...afterKill, ...lines].filter((line) => !isWhole(line)).length
  const stray = (await strays()).length
  say(
    `acknowledged ${acknowledged.length}, lost ${lost.length}, doubled ${doubled}, torn ${torn}, left behind ${stray}`,
  )
  return lost.length + doubled + torn + stray === 0
}

/** @param {string} name @returns {Writer} */
function startWriter(name) {
  const home = path.join(scratch, 'home')
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: path.join(home, '.cache') }
  const child = fork(writerFile, [root, name], { env })
  /** @type {string[]} */
  const acknowledged = []
  child.on('message', (/** @type {string} */ line) => acknowledged.push(line))
  const writer = { name, child, acknowledged }
  writers.push(writer)
  return writer
}

/** Lets it finish what it is writing. @param {Writer} writer */
async function stop({ child }) {
  const gone = new Promise((done) => child.once('exit', done))
  child.send('stop')
  await gone
}

/** Waits for a file beside the note that is larger than any line so far. Its heir removes it as soon as its writer is dead. */
async function largeWriteUnderWay() {
  for (;;) {
    for (const name of await strays()) {
      const size = await sizeOf(path.join(root, name))
      if (size > 1024 * 1024) return size
    }
    await sleep(1)
  }
}

async function strays() {
  const names = await readdir(root)
  return names.filter((name) => !['note.md', '_meta', '.agentm-locks'].includes(name))
}

/** @param {string} file 0 when it was renamed meanwhile */
async function sizeOf(file) {
  try {
    return (await stat(file)).size
  } catch {
    return 0
  }
}

async function linesOf() {
  return (await readFile(path.join(root, 'note.md'), 'utf8')).split('\n').filter((line) => line !== '')
}

/** @param {string} line `anna 12`, or a large entry with its end */
function isWhole(line) {
  return /^(anna|ben) \d+( x+ end)?$/.test(line)
}

/** @param {string} written @param {string} acknowledged */
function isSame(written, acknowledged) {
  return written === acknowledged || written.startsWith(`${acknowledged} x`)
}

/** @param {() => boolean} condition */
async function until(condition) {
  const deadline = performance.now() + 60_000
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('nothing moved for a minute')
    await sleep(5)
  }
}

/** @param {string} text */
function say(text) {
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${text}`)
}
