// @ts-check
/** Replacing one file, whole or not at all: by hand, and as the packages people use do it. */
import { open, rename } from 'node:fs/promises'
import path from 'node:path'
import { peer } from '../frame.mjs'

/** @typedef {{ readonly setItem: (key: string, text: string) => Promise<void> }} Storage */
/** @typedef {(path: string, options: object) => Promise<() => Promise<void>>} Lock */

/** @type {{ default: { lock: Lock } }} */
const { default: lockfile } = await peer('proper-lockfile')
/** @type {{ createStorage: (options: object) => Storage }} */
const { createStorage } = await peer('unstorage')
/** @type {{ default: (options: object) => object }} */
const { default: fsDriver } = await peer('unstorage/drivers/fs')
/** @type {{ default: (target: string, text: string) => Promise<void> }} */
const { default: writeFileAtomic } = await peer('write-file-atomic')

let temps = 0

/**
 * The floor: what nobody who promises a durable, whole file can leave out.
 * @param {string} target @param {string} text
 */
export async function byHand(target, text) {
  const temp = `${target}.${process.pid}.${temps++}`
  const file = await open(temp, 'wx')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temp, target)
  const directory = await open(path.dirname(target), 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** @param {string} target @param {string} text */
export async function withWriteFileAtomic(target, text) {
  await writeFileAtomic(target, text)
}

/** @param {string} target @param {string} text */
export async function withUnstorage(target, text) {
  await storageAt(path.dirname(target)).setItem(path.basename(target), text)
}

/**
 * How proper-lockfile waits; by itself it does not, and by default it waits from one second up. `steady` is the back-off
 * that vaults are locked with elsewhere, shorter than what projects usually set; `eager` is the fastest found here, at
 * the price of everybody's CPU. It counts its tries and has no deadline: enough of them for any queue here.
 */
const waits = {
  steady: { retries: 10_000, minTimeout: 10, maxTimeout: 200, factor: 2 },
  eager: { retries: 10_000, minTimeout: 1, maxTimeout: 20, factor: 1.5 },
}

/**
 * One process at a time.
 * @template T
 * @param {string} root what is locked
 * @param {() => Promise<T>} work
 * @param {keyof typeof waits} [wait]
 */
export async function underProperLockfile(root, work, wait = 'steady') {
  const release = await lockfile.lock(root, { realpath: false, retries: waits[wait] })
  try {
    return await work()
  } finally {
    await release()
  }
}

/** @type {Map<string, Storage>} */
const storages = new Map()

/** @param {string} base */
function storageAt(base) {
  const storage = storages.get(base) ?? createStorage({ driver: fsDriver({ base }) })
  storages.set(base, storage)
  return storage
}
