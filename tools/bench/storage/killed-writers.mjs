// @ts-check
/**
 * S3k: writers killed in the middle of a write. What stands there is then one whole version, and nothing of theirs is
 * left once somebody wrote again. Every writer has a store of its own, so that one wait serves all: a killed holder's
 * lock is dead ten seconds after its last heartbeat.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { storeKinds } from './stores.mjs'
import { nextMessage, race, start } from './team.mjs'

const kills = 300
const staleMs = 10_000

/** @param {import('../frame.mjs').Settings} settings @returns {Promise<import('../frame.mjs').Measurement>} */
export async function killedWriters({ scale, scratch }) {
  const count = Math.max(2, Math.round(kills * scale))
  const stores = Array.from({ length: count }, (_, n) => ({
    kind: storeKinds[n % storeKinds.length] ?? 'vault',
    root: path.join(scratch, `killed-${n}`),
  }))
  const began = performance.now()
  await inLanes(stores, 2, async ({ kind, root }) => killMidWrite(kind, root, scratch))
  const torn = await countOf(stores, async ({ root }) => !(await isWhole(path.join(root, 'note.md'))))
  const remnants = await countOf(stores, async ({ root }) => (await strayIn(root)) > 0)

  await sleep(staleMs + 1000)
  const lanes = 4
  const shares = Array.from({ length: lanes }, (_, lane) => stores.filter((_store, n) => n % lanes === lane))
  const members = shares.map((share) => share.map(({ kind, root }) => `${kind}:${root}`))
  await race('write-once-worker.mjs', members, scratch)
  const stray = await countOf(stores, async ({ root }) => (await strayIn(root)) > 0)
  const unwritten = await countOf(
    stores,
    async ({ root }) => (await readFile(path.join(root, 'note.md'), 'utf8')) !== 'after',
  )
  return {
    ours: (performance.now() - began) / 1000,
    counts: { torn, stray, kills: count, midWrite: remnants, unwritten },
  }
}

/** @param {string} kind @param {string} root @param {string} scratch */
async function killMidWrite(kind, root, scratch) {
  await mkdir(root)
  const child = start('write-worker.mjs', [kind, root], scratch)
  await nextMessage(child)
  await sleep(Math.random() * 30)
  const dead = new Promise((done) => child.once('exit', done))
  child.kill('SIGKILL')
  await dead
}

/** One version is one letter, all the way. @param {string} file */
async function isWhole(file) {
  const text = await readFile(file, 'utf8')
  return text.length === 256 * 1024 && text === text.slice(0, 1).repeat(text.length)
}

/** @param {string} root */
async function strayIn(root) {
  const names = await readdir(root)
  return names.filter((name) => name !== 'note.md' && name !== '_meta' && name !== '.agentm-locks').length
}

/**
 * @template T
 * @param {readonly T[]} items @param {(item: T) => Promise<boolean>} test
 */
async function countOf(items, test) {
  const answers = await Promise.all(items.map(test))
  return answers.filter(Boolean).length
}

/**
 * @template T
 * @param {readonly T[]} items @param {number} lanes @param {(item: T) => Promise<void>} work
 */
export async function inLanes(items, lanes, work) {
  const queue = [...items]
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
