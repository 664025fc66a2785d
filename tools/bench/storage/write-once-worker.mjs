// @ts-check
/** Writes once into each store. Arguments: `kind:root` of each. */
import { onGo } from './on-go.mjs'
import { openStore } from './stores.mjs'

onGo(async () => {
  for (const argument of process.argv.slice(2)) {
    const [kind = '', root = ''] = argument.split(/:(.*)/s)
    const store = await openStore(kind, root)
    await store.write(store.resolve('note.md'), 'after')
  }
})
