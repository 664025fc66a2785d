// @ts-check
/** The SQLite that the store under test uses, so that both sides run on the same build; with sqlite-vec loaded into it. */
import { peer } from '../frame.mjs'

/**
 * @typedef {object} Statement
 * @property {(...values: unknown[]) => { lastInsertRowid: number | bigint }} run
 * @property {(...values: unknown[]) => Record<string, unknown> | undefined} get
 * @property {(...values: unknown[]) => Record<string, unknown>[]} all
 */
/**
 * @typedef {object} Database
 * @property {(sql: string) => void} exec
 * @property {(sql: string) => Statement} prepare
 * @property {() => void} close
 * @property {(allow: boolean) => void} enableLoadExtension
 * @property {(path: string) => void} loadExtension
 */

const { getBuiltinModule } = /** @type {{ getBuiltinModule?: (name: string) => unknown }} */ (process)
const module = getBuiltinModule?.('node:sqlite') ?? (await import('@photostructure/sqlite'))
const { DatabaseSync: Plain } = /** @type {{ DatabaseSync: new (path: string, options: object) => Database }} */ (
  module
)
/** Where sqlite-vec is, or nothing: it ships no binary for some platforms, and its columns are then left out. */
const extension = await findExtension()
export const hasVec = extension !== undefined

async function findExtension() {
  try {
    const { getLoadablePath } = /** @type {{ getLoadablePath: () => string }} */ (await peer('sqlite-vec'))
    return getLoadablePath().replace(/\.(?:so|dylib|dll)$/, '')
  } catch (error) {
    console.error(`sqlite-vec is left out: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    return undefined
  }
}

export class DatabaseSync extends Plain {
  /** @param {string} path */
  constructor(path) {
    super(path, { allowExtension: true })
    if (extension === undefined) return
    this.enableLoadExtension(true)
    this.loadExtension(extension)
  }
}
