// @ts-check
/** Adds lines to one note, one after the other. Arguments: which way, the root, the worker's name, how many. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { onGo } from './on-go.mjs'
import { openStore } from './stores.mjs'
import { byHand, underProperLockfile, withWriteFileAtomic } from './write-file.mjs'

const [way = '', root = '', name = '', count = '0'] = process.argv.slice(2)
const add = await adderFor(way)

onGo(async () => {
  for (let n = 0; n < Number(count); n++) await add(`${name}-${n}\n`)
})

/** @param {string} kind @returns {Promise<(line: string) => Promise<unknown>>} */
async function adderFor(kind) {
  const target = path.join(root, 'note.md')
  if (kind === 'floor') return async (line) => byHand(target, (await readFile(target, 'utf8')) + line)
  if (kind === 'steady' || kind === 'eager') {
    return async (line) =>
      underProperLockfile(root, async () => withWriteFileAtomic(target, (await readFile(target, 'utf8')) + line), kind)
  }
  const store = await openStore(kind, root)
  return async (line) => store.update(store.resolve('note.md'), (text = '') => text + line)
}
