// @ts-check
/**
 * Lets OpenWorkflow run on Node 20, which has no `node:sqlite`: it gets @photostructure/sqlite, which has the same interface, and which
 * our own store uses there. So both run on the same build of SQLite.
 */
import Module from 'node:module'

/** Call it before OpenWorkflow opens a file. */
export async function provideNodeSqlite() {
  const { getBuiltinModule } = /** @type {{ getBuiltinModule?: (name: string) => unknown }} */ (process)
  if (getBuiltinModule?.('node:sqlite') !== undefined || isProvided) return
  isProvided = true
  const sqlite = await import('@photostructure/sqlite')
  const load = Reflect.get(Module, loader)
  Reflect.set(Module, loader, (/** @type {string} */ request, /** @type {unknown[]} */ ...rest) =>
    request === 'node:sqlite' ? sqlite : load(request, ...rest),
  )
}

/** The function of Node that loads what is required. */
const loader = '_load'
let isProvided = false
