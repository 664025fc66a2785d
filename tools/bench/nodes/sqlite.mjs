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
const { getLoadablePath } = /** @type {{ getLoadablePath: () => string }} */ (await peer('sqlite-vec'))

export class DatabaseSync extends Plain {
  /** @param {string} path */
  constructor(path) {
    super(path, { allowExtension: true })
    this.enableLoadExtension(true)
    this.loadExtension(getLoadablePath().replace(/\.(?:so|dylib|dll)$/, ''))
  }
}
