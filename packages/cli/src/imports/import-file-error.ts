/** A file to import cannot be read. Nothing was imported. */
export class ImportFileError extends Error {
  override readonly name = 'ImportFileError'
  readonly code = 'IMPORT_FILE'
  readonly file: string
  /** Where in the file, such as `line 7`; absent if it is the file as a whole. */
  readonly place: string | undefined
  constructor(
    { file, place }: { readonly file: string; readonly place?: string },
    what: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(`${file}${place === undefined ? '' : `, ${place}`}: ${what}`, options)
    this.file = file
    this.place = place
  }
}
