import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const source = path.resolve(import.meta.dirname, '../dist/load-sqlite.js')

/** An installation that a newer Node made: the package is left out. */
const without = `data:text/javascript,${encodeURIComponent(`
  import { register } from 'node:module'
  const hook = 'export const resolve = (id, context, next) => id === "@agentm/sqlite-node20"'
    + ' ? Promise.reject(Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" })) : next(id, context)'
  register('data:text/javascript,' + encodeURIComponent(hook))`)}`

it('says what to do when a newer Node ran the installation', async (context) => {
  const hasOwn = (process as { getBuiltinModule?: (name: string) => unknown }).getBuiltinModule?.('node:sqlite')
  if (hasOwn !== undefined) context.skip('this Node has its own SQLite')
  const program = `import(${JSON.stringify(source)}).then(({ loadSqlite }) => loadSqlite()).catch((error) => console.log(error.code, error.message))`
  const { stdout } = await run(process.execPath, ['--import', without, '-e', program])
  expect(stdout).toContain('SQLITE_ABSENT')
  expect(stdout).toContain('again with this Node')
})
