// @ts-check
/** S5: six processes meet a lock whose holder died, again and again; never are two inside. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { leaveDeadLock, leaveDeadPeerLock } from './dead-lock.mjs'
import { inLanes } from './killed-writers.mjs'
import { nextMessage, start, worldIn } from './team.mjs'

const processes = 6
const rounds = 1000
const peerRounds = 300
/** So many locks at once: the processes then preempt each other at every point of a takeover. */
const lanes = 6

/** @param {import('../frame.mjs').Settings} settings @returns {Promise<import('../frame.mjs').Measurement>} */
export async function deadLocks({ scale, scratch }) {
  const count = Math.max(lanes, Math.round(rounds * scale))
  const peerCount = Math.max(lanes, Math.round(peerRounds * scale))
  const doubles = await meetDeadLocks('ours', count, scratch)
  const peerDoubles = await meetDeadLocks('peer', peerCount, scratch)
  return {
    ours: doubles,
    peers: { 'proper-lockfile': (peerDoubles * count) / peerCount },
    counts: { doubles, rounds: count },
    notes: [`proper-lockfile: ${peerDoubles} in ${peerCount} rounds, in proportion`],
  }
}

/** How many rounds saw two inside. @param {string} way @param {number} count @param {string} scratch */
async function meetDeadLocks(way, count, scratch) {
  const team = Array.from({ length: processes }, () => start('lock-worker.mjs', [way], scratch))
  try {
    await Promise.all(team.map((child) => nextMessage(child)))
    const roots = Array.from({ length: count }, (_, n) => path.join(scratch, `${way}-${n}`))
    let doubles = 0
    await inLanes(roots, lanes, async (root) => {
      await mkdir(root)
      const cache = worldIn(scratch)['XDG_CACHE_HOME'] ?? ''
      const lock = await (way === 'peer' ? leaveDeadPeerLock(root) : leaveDeadLock(root, cache))
      const answers = await Promise.all(team.map((child) => enter(child, root)))
      if (answers.some((seen) => seen > 0)) doubles++
      await released(lock)
    })
    return doubles
  } finally {
    for (const child of team) child.kill('SIGKILL')
  }
}

/** The last one inside has answered and may still be busy giving the lock back. @param {string} lock */
async function released(lock) {
  while (existsSync(lock)) await sleep(1)
}

/** @param {import('node:child_process').ChildProcess} child @param {string} root @returns {Promise<number>} */
function enter(child, root) {
  return new Promise((done, failed) => {
    const died = (/** @type {number | null} */ code) => failed(new Error(`a worker ended with ${code}`))
    /** @param {{ root: string, doubles: number }} message */
    const hear = (message) => {
      if (message.root !== root) return
      child.off('message', hear)
      child.off('exit', died)
      done(message.doubles)
    }
    child.on('message', hear)
    child.once('exit', died)
    child.send(root)
  })
}
