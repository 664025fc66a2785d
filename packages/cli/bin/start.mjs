import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { CompiledCode, codeHome } from '../dist/compiled-code.js'
import { isBundleCurrent } from '../dist/is-bundle-current.js'
import { loadBundle } from '../dist/load-bundle.js'

const packages = path.resolve(import.meta.dirname, '../..')
const [command = '', part = ''] = process.argv.slice(2)
const isAwaited = ['recall', 'save', 'hook'].includes(command)
// What agents wait for is over before optimized code would pay: making it takes a sixth of the processor time of a recall.
if (isAwaited) {
  setFlagsFromString('--no-opt')
  setTimeout(setFlagsFromString, 1000, '--opt').unref()
}

/** @returns {typeof import('../dist/main.js')} */
function bundled() {
  const name = command === 'hook' && /^[a-z-]+$/.test(part) ? `${command}-${part}` : command
  const code = isAwaited ? new CompiledCode(codeHome(process.env), name, Date.now()) : undefined
  if (code !== undefined) process.on('exit', () => code.write())
  const loaded = loadBundle(path.join(packages, 'cli', 'dist', 'bundle'), 'main.cjs', code)
  return /** @type {typeof import('../dist/main.js')} */ (loaded)
}

const { main } = isBundleCurrent(packages) ? bundled() : await import('../dist/main.js')
process.exitCode = await main(process.argv.slice(2))
