// Preloaded into a process under test: says on standard error, at its end, which writing calls it made.
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const writing =
  /^(?:write|writev|writeFile|appendFile|mkdir|mkdtemp|rm|rmdir|unlink|rename|copyFile|cp|link|symlink|chmod|chown|lchown|lutimes|utimes|futimes|truncate|ftruncate|createWriteStream)(?:Sync)?$/
/** @type {string[]} */
const seen = []

const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = fs.constants

/** @param {unknown} flags */
function onlyReads(flags = 'r') {
  if (typeof flags === 'number') return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)) === 0
  return !/[wax+]/.test(String(flags))
}

/**
 * @param {Record<string, any>} module
 * @param {string} label
 */
function watch(module, label) {
  for (const [name, original] of Object.entries(module)) {
    if (typeof original !== 'function' || !(writing.test(name) || /^open(?:Sync)?$/.test(name))) continue
    module[name] = (/** @type {any[]} */ ...args) => {
      const reads = name.startsWith('open') && onlyReads(args[1])
      const standard = /^write(?:Sync|v)?$/.test(name) && args[0] <= 2
      if (!reads && !standard) seen.push(`${label}.${name} ${String(args[0])}`)
      return original(...args)
    }
  }
}

watch(fs, 'fs')
watch(fs.promises, 'promises')
/** @type {Record<string, any>} */
const processes = childProcess
for (const name of ['spawn', 'execFile']) {
  const original = processes[name]
  processes[name] = (/** @type {string} */ command, /** @type {any[]} */ ...rest) => {
    if (command !== 'git') seen.push(`child_process.${name} ${command}`)
    return original(command, ...rest)
  }
}
syncBuiltinESMExports()
process.on('exit', () => process.stderr.write(`WRITES ${JSON.stringify(seen)}\n`))
