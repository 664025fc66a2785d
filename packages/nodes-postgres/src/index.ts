export { openPostgresStore } from './open-postgres-store.ts'
export {
  type PostgresErrorCode,
  postgresErrorCodes,
  PostgresStoreError,
  SchemaBehindError,
} from './postgres-store-error.ts'
export { printMigrations } from './print-migrations.ts'
export { restorePostgresBackup } from './restore-backup.ts'
export type { PostgresStoreOptions, VectorSetting } from './postgres-store-options.ts'
