/** The file or folder to import, and the name under which its notes are known again. */
import { realpath, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { UsageError } from '../command.ts'

export interface ImportSource {
  /** Absolute, without links. */
  readonly path: string
  readonly isFolder: boolean
  /** The path as a person writes it, such as `~/notes`, or the name that the person gave. */
  readonly name: string
}

export async function importSource(given: string, { name }: { readonly name?: string } = {}): Promise<ImportSource> {
  const found = await realpath(given).catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR'))
      throw new UsageError(`${given} does not exist. Name the file or folder to import.`, { cause })
    throw cause
  })
  return { path: found, isFolder: (await stat(found)).isDirectory(), name: name ?? (await shortName(found)) }
}

/** The same on machines whose home directories have different names. */
async function shortName(file: string): Promise<string> {
  const home = await realpath(os.homedir()).catch(() => os.homedir())
  const inHome = path.relative(home, file)
  const isInHome = inHome !== '' && !inHome.startsWith('..') && !path.isAbsolute(inHome)
  return (isInHome ? path.join('~', inHome) : file).split(path.sep).join('/')
}
