// @ts-check
/** S1 and S2: how many durable writes a second one process gets done, one after the other. */
import { mkdir, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { compare, interleave } from '../frame.mjs'
import { openStore } from './stores.mjs'
import { byHand, underProperLockfile, withUnstorage, withWriteFileAtomic } from './write-file.mjs'

/** @typedef {import('../frame.mjs').Settings} Settings */

const note = `---\nkind: note\n---\n\n${'A line of a note that somebody keeps.\n'.repeat(54)}`
const writesPerTurn = 40

/** @param {Settings} settings */
export async function bareWrites({ repeats, scale, scratch }) {
  const { atomicWrite, filePath } = await import('@agentm/vault-lock')
  const places = await placesIn(scratch, ['ours', 'floor', 'write-file-atomic', 'unstorage'])
  const target = filePath(places('ours'))
  const measured = await race(
    {
      ours: async () => atomicWrite(target, note),
      floor: async () => byHand(places('floor'), note),
      'write-file-atomic': async () => withWriteFileAtomic(places('write-file-atomic'), note),
      unstorage: async () => withUnstorage(places('unstorage'), note),
    },
    repeats * scale,
  )
  return {
    ...measured,
    notes: ['unstorage writes in place and syncs nothing; write-file-atomic syncs the file, not the directory'],
  }
}

/** @param {string} kind @returns {(settings: Settings) => Promise<import('../frame.mjs').Measurement>} */
export function storeWrites(kind) {
  return async ({ repeats, scale, scratch }) => {
    const peer = 'proper-lockfile + write-file-atomic'
    const places = await placesIn(scratch, ['ours', 'floor', peer])
    const store = await openStore(kind, path.dirname(places('ours')))
    const root = path.dirname(places(peer))
    return race(
      {
        ours: async () => store.write(store.resolve('note.md'), note),
        floor: async () => byHand(places('floor'), note),
        [peer]: async () => underProperLockfile(root, async () => withWriteFileAtomic(places(peer), note)),
      },
      repeats * scale,
    )
  }
}

/** @param {Readonly<Record<string, () => Promise<unknown>>>} writers @param {number} rounds */
async function race(writers, rounds) {
  const contenders = Object.entries(writers).map(([name, write]) => [name, async () => perSecond(write)])
  const figures = await interleave(Object.fromEntries(contenders), Math.max(1, Math.round(rounds)))
  return compare(figures, 'more')
}

/** @param {() => Promise<unknown>} write */
async function perSecond(write) {
  // The first write of a turn pays for what the turn before left in the caches.
  await write()
  const began = performance.now()
  for (let n = 0; n < writesPerTurn; n++) await write()
  return (writesPerTurn * 1000) / (performance.now() - began)
}

/** A note of its own, in a directory of its own, for each. @param {string} scratch @param {readonly string[]} names */
async function placesIn(scratch, names) {
  /** @type {Map<string, string>} */
  const places = new Map()
  for (const name of names) {
    const directory = await mkdtemp(path.join(scratch, 'writes-'))
    await mkdir(path.join(directory, 'store'))
    places.set(name, path.join(directory, 'store', 'note.md'))
  }
  return (/** @type {string} */ name) => places.get(name) ?? ''
}
