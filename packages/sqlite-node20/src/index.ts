/**
 * A dependency with a condition: `nodes-sqlite` names this package as optional, and installers leave out an optional package
 * whose `engines` do not fit. A Node with its own SQLite is spared 29 MB.
 */
export { DatabaseSync } from '@photostructure/sqlite'
