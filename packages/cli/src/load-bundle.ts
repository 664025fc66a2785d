/**
 * Loads the command from its bundle. The bundle consists of CommonJS files, because Node 20 keeps compiled code only of scripts, and not
 * of ES modules.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import type { CompiledCode } from './compiled-code.ts'

/** What a file of the bundle is called with. `importOther` stands for `import()`, which scripts have only as an experiment. */
type ScriptBody = (
  exports: object,
  require: (id: string) => unknown,
  importOther: (id: string) => Promise<unknown>,
  file: string,
) => void

/** The exports of `entry`, a file of the bundle in `folder`. With `code`, what was compiled before is not compiled again. */
export function loadBundle(folder: string, entry: string, code?: CompiledCode): object {
  const loaded = new Map<string, object>()
  const requireOther = createRequire(path.join(folder, entry))
  const importOther = async (id: string): Promise<unknown> =>
    import(id.startsWith('.') ? pathToFileURL(path.join(folder, id)).href : id)
  const load = (name: string): object => {
    const known = loaded.get(name)
    if (known !== undefined) return known
    const exports = {}
    loaded.set(name, exports)
    const file = path.join(folder, name)
    const body = compiled(name, file, code).runInThisContext() as ScriptBody
    body(exports, (id) => (id.startsWith('./') ? load(id.slice(2)) : requireOther(id)), importOther, file)
    return exports
  }
  return load(entry)
}

function compiled(name: string, file: string, code: CompiledCode | undefined): Script {
  const bytes = readFileSync(file)
  const cachedData = code?.find({ name, bytes })
  const script = new Script(`(function(exports,require,importOther,__filename){${bytes.toString('utf8')}\n})`, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  code?.add({ name, bytes }, script)
  return script
}
