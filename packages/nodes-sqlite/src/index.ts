export { openSqliteLog, type SqliteLogOptions } from './open-sqlite-log.ts'
