import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { isBundleCurrent } from '../dist/is-bundle-current.js'

// What agents wait for is over before optimized code would pay: making it takes a sixth of the processor time of a recall.
if (['recall', 'save', 'hook'].includes(process.argv[2] ?? '')) {
  setFlagsFromString('--no-opt')
  setTimeout(setFlagsFromString, 1000, '--opt').unref()
}

// By address: there is nothing to compile against before it was built.
const bundle = new URL('../dist/bundle/main.js', import.meta.url).href
const quick = isBundleCurrent(path.resolve(import.meta.dirname, '../..'))
/** @type {typeof import('../dist/main.js')} */
const { main } = await (quick ? import(bundle) : import('../dist/main.js'))
process.exitCode = await main(process.argv.slice(2))
