/** An archive of a log cannot be written or read. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly code = 'ARCHIVE_FILE'
}
