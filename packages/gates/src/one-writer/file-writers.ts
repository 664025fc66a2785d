/**
 * The names in Node's `fs` that change what is stored. Making a named directory is not among them: it can destroy nothing,
 * and a file needs one before its writer is asked. A temporary one is: somebody has to take it away again.
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

/** Names no other common thing has: whoever is asked, a file gets written. */
export const unmistakable: ReadonlySet<string> = new Set(
  [...fileWriters].filter((name) =>
    /Sync$|File$|WriteStream$|Utf8Stream$|utimes$|ftruncate$|f?chmod$|l?chown$|^mkdtemp/.test(name),
  ),
)

export function isFileSystem(specifier: string | undefined): boolean {
  return specifier !== undefined && /^(?:node:)?fs(?:\/promises)?$/.test(specifier)
}
