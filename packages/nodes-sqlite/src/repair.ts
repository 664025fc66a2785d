export { findSqliteDamage } from './find-sqlite-damage.ts'
export { rebuildSqliteFile, type RebuildFileOptions, type RebuiltFile } from './rebuild-file.ts'
export { type RestoredBackup, restoreSqliteBackup } from './restore-backup.ts'
