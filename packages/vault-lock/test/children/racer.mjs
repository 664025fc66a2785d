// Takes the lock each time it is told to, as slowly as a busy machine would: node racer.mjs ROOT LOCK WAY
import { closeSync, lstatSync, mkdirSync, openSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { filePath, nodeFileSystem, vaultMutex } from '@agentm/vault-lock'

const [root = '', lock = '', way = ''] = process.argv.slice(2)
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))
const preempt = async () => (Math.random() < 0.3 ? pause(5 * Math.random()) : undefined)

/** @template {unknown[]} A @template R @param {(...args: A) => Promise<R>} call @returns {(...args: A) => Promise<R>} */
const slow =
  (call) =>
  async (...args) => {
    await preempt()
    return call(...args)
  }
const { mkdir, rmdir, lstat, open, utimes } = nodeFileSystem
const fs = {
  ...nodeFileSystem,
  mkdir: slow(mkdir),
  rmdir: slow(rmdir),
  lstat: slow(lstat),
  open: slow(open),
  utimes: slow(utimes),
}

async function enter() {
  let double = false
  try {
    closeSync(openSync(join(root, 'inside'), 'wx'))
    await pause(2 * Math.random())
    unlinkSync(join(root, 'inside'))
  } catch {
    double = true
  }
  return double
}

/**
 * The obvious takeover, which is wrong: it shows that these rounds catch a double holder.
 * @param {() => Promise<boolean>} work
 */
async function naive(work) {
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch {
      const stale = Date.now() - (lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > 10_000
      await preempt()
      try {
        if (stale) rmdirSync(lock)
      } catch {}
      await pause(1)
    }
  }
  const answer = await work()
  try {
    rmdirSync(lock)
  } catch {}
  return answer
}

async function race() {
  const double =
    way === 'naive' ? await naive(enter) : await vaultMutex(filePath(root), enter, { fs, timeoutMs: 8_000 })
  // A lock that lingers would decide the next round before it has begun.
  await pause(way === 'naive' ? 0 : 20)
  process.send?.(double)
}

process.on('message', () => void race())
process.send?.('ready')
