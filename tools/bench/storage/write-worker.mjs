// @ts-check
/**
 * Writes one large note over and over until it is killed. Arguments: the kind of store and its root. Every version is
 * one letter repeated, so a torn one shows.
 */
import { endWithParent } from '../../end-with-parent.mjs'
import { openStore } from './stores.mjs'

endWithParent()

const [kind = '', root = ''] = process.argv.slice(2)
const store = await openStore(kind, root)
const note = store.resolve('note.md')

for (let n = 0; ; n++) {
  await store.write(note, String.fromCodePoint(97 + (n % 26)).repeat(256 * 1024))
  if (n === 0) process.send?.('writing')
}
