// @ts-check
/**
 * Counts what a process opens: `node --import tools/count-opens.mjs PROGRAM` writes, when it ends, JSON to the file that
 * `AGENTM_COUNTS` names: how often each file was opened or read, which databases, and how many modules were loaded.
 */
import fs, { writeFileSync } from 'node:fs'
import { createRequire, register, syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'

/** @typedef {{ readonly files: Readonly<Record<string, number>>, readonly databases: readonly string[], readonly modules: number }} Counts */

/** @type {Record<string, number>} */
const files = {}
/** @type {string[]} */
const databases = []
const write = writeFileSync

/** @param {any} home @param {readonly string[]} names */
function countFiles(home, names) {
  for (const name of names) {
    const real = home[name]
    home[name] = function counted(/** @type {unknown} */ file, /** @type {unknown[]} */ ...rest) {
      files[String(file)] = (files[String(file)] ?? 0) + 1
      return real.call(this, file, ...rest)
    }
  }
}

/** @param {any} home */
function countDatabases(home) {
  const Real = home.DatabaseSync
  home.DatabaseSync = class extends Real {
    constructor(/** @type {string} */ file, /** @type {unknown[]} */ ...rest) {
      super(file, ...rest)
      databases.push(file)
    }
  }
}

countFiles(fs, ['openSync', 'readFileSync', 'open', 'readFile'])
countFiles(fs.promises, ['open', 'readFile'])
const builtin = process.getBuiltinModule?.('node:sqlite')
if (builtin === undefined) {
  const require = createRequire(path.join(import.meta.dirname, '../packages/nodes-sqlite/package.json'))
  const home = path.dirname(require.resolve('@photostructure/sqlite/package.json'))
  countDatabases(createRequire(path.join(home, 'package.json'))('node-gyp-build')(home))
} else countDatabases(builtin)
syncBuiltinESMExports()

const { port1: told, port2: tells } = new MessageChannel()
const hook = `let port
export const initialize = (data) => void (port = data.port)
export const load = (url, context, next) => (port.postMessage(url), next(url, context))`
register(`data:text/javascript,${encodeURIComponent(hook)}`, { data: { port: tells }, transferList: [tells] })
told.unref()

process.on('exit', () => {
  let modules = 0
  while (receiveMessageOnPort(told) !== undefined) modules++
  // The files of the bundle are loaded as scripts.
  modules += Object.keys(files).filter((file) => /[\\/]bundle[\\/][\w-]+\.cjs$/.test(file)).length
  write(process.env['AGENTM_COUNTS'] ?? 'counts.json', JSON.stringify({ files, databases, modules }))
})
