/**
 * The functions in Node's `fs` that change stored data. Creating a named directory does not count, because it can destroy nothing and is
 * needed before a write. Creating a temporary directory counts, because it must be removed again.
 */
const changing = [
  'appendFile',
  'chmod',
  'chown',
  'copyFile',
  'cp',
  'fchmod',
  'fchown',
  'ftruncate',
  'futimes',
  'lchmod',
  'lchown',
  'link',
  'lutimes',
  'mkdtemp',
  'mkdtempDisposable',
  'rename',
  'rm',
  'rmdir',
  'symlink',
  'truncate',
  'unlink',
  'utimes',
  'write',
  'writeFile',
  'writev',
]

/** Everything in `fs` and `fs/promises` that writes; `open` is judged by its flags. */
export const fileWriters: ReadonlySet<string> = new Set([
  ...changing,
  ...changing.map((name) => `${name}Sync`),
  'createWriteStream',
  'WriteStream',
  'FileWriteStream',
  'Utf8Stream',
])

export const openers: ReadonlySet<string> = new Set(['open', 'openSync'])

/** Names that only file-writing functions have, whatever object they are called on. */
export const unmistakable: ReadonlySet<string> = new Set(
  [...fileWriters].filter((name) =>
    /Sync$|File$|WriteStream$|Utf8Stream$|utimes$|ftruncate$|f?chmod$|l?chown$|^mkdtemp/.test(name),
  ),
)

export function isFileSystem(specifier: string | undefined): boolean {
  return specifier !== undefined && /^(?:node:)?fs(?:\/promises)?$/.test(specifier)
}
