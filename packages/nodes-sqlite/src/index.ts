export { openSqliteLog, openSqliteReader, type SqliteLogOptions } from './open-sqlite-log.ts'
