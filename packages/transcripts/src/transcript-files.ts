/** The file system as this package needs it: reading only. A test passes one of its own to inject faults. */

/** What is known of a file before it is read. */
export interface FileFacts {
  readonly isDirectory: boolean
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly changedAt: number
}

/** An open file. */
export interface TranscriptFile {
  facts(): Promise<FileFacts>
  /** Reads up to `length` bytes from `offset`; fewer at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>
  close(): Promise<void>
}

/** The file system: reading only. Faults are thrown as Node throws them, with a `code`. */
export interface TranscriptFiles {
  /** The names in a directory. */
  list(directory: string): Promise<readonly string[]>
  facts(path: string): Promise<FileFacts>
  open(path: string): Promise<TranscriptFile>
}
