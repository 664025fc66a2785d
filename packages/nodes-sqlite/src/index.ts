export { openSqliteStore, openSqliteReader, type SqliteStoreOptions } from './open-sqlite-store.ts'
