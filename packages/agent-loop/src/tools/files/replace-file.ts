import type { StoreRuntime } from '@agentm/nodes'
import { constants } from 'node:fs'
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { ToolError } from '../../loop/tool-error.ts'
import { confinedPath, type Confinement } from '../confined-path.ts'

interface Replacing {
  /** The file as the model names it. */
  readonly name: string
  readonly at: string
  readonly text: string
  readonly runtime: Pick<StoreRuntime, 'newId'>
}

/** Replaces a file as a whole, so that a reader sees either the old or the new one. */
export async function replaceFile(confinement: Confinement, { name, at, text, runtime }: Replacing): Promise<void> {
  await mkdir(path.dirname(at), { recursive: true })
  const mode = await modeOf(at, name)
  // Checked again, because a directory on the path may have become a link meanwhile.
  if ((await confinedPath(confinement, name)) !== at) throw new ToolError('permission', `${name} was moved meanwhile`)
  const draft = path.join(path.dirname(at), `.${path.basename(at)}.${runtime.newId()}`)
  const file = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode)
  try {
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, at)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** A replaced script stays executable. */
async function modeOf(at: string, name: string): Promise<number> {
  try {
    const facts = await lstat(at)
    if (!facts.isFile()) throw new ToolError('validation', `${name} is no file`)
    return facts.mode & 0o777
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0o644
    throw error
  }
}
