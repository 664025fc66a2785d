/**
 * A dependency with a condition: `nodes-sqlite` names this package as optional, and installers leave out an optional package
 * whose `engines` do not fit. A Node with its own SQLite is spared 29 MB.
 */
import { createRequire } from 'node:module'

// Required, because importing a CommonJS package first reads through it for its exports, which takes a hook four milliseconds.
const sqlite = createRequire(import.meta.url)('@photostructure/sqlite') as typeof import('@photostructure/sqlite')

/** A synchronous SQLite database, as `node:sqlite` of newer versions of Node has it. */
export const DatabaseSync = sqlite.DatabaseSync
