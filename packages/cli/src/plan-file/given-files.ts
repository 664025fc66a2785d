/** Pictures and PDFs that a person gives to agents. They are looked at and kept before a plan is created, and not when a step starts. */
import { open, realpath } from 'node:fs/promises'
import path from 'node:path'
import { mediaOf, type MediaPart, type MediaPolicy, mostBytes } from '@agentm/agent-loop/internal'

/** The part that the file becomes, or what is wrong with it. */
export type GivenFile = MediaPart | { readonly problem: string }

export interface FilePlace {
  /** What relative names are relative to. */
  readonly directory: string
  /** The directories that the file must be in (default: anywhere). */
  readonly within?: readonly string[]
  readonly media: MediaPolicy
}

export async function givenFile(name: string, { directory, within, media }: FilePlace): Promise<GivenFile> {
  const at = path.resolve(directory, name)
  try {
    if (within !== undefined && !(await isInside(at, within)))
      return {
        problem: `${name} is outside of the folder of the plan. Copy it there, and name it relative to the plan file`,
      }
    const bytes = await bytesOf(at)
    if (typeof bytes === 'string') return { problem: `${name} ${bytes}` }
    const found = mediaOf(bytes, { ...media, name: path.basename(name) })
    if (found.is === 'other') return { problem: `${name} is neither a picture (PNG, JPEG, GIF, WebP) nor a PDF` }
    if (found.is === 'refused') return { problem: found.why }
    await media.store.keep(found.part, bytes)
    return found.part
  } catch (error) {
    return { problem: `${name} cannot be read (${error instanceof Error ? error.message : String(error)})` }
  }
}

const most = Math.max(...Object.values(mostBytes))

async function bytesOf(at: string): Promise<Buffer | string> {
  const file = await open(at)
  try {
    const facts = await file.stat()
    if (!facts.isFile()) return 'is no file'
    return facts.size > most ? `has ${facts.size} bytes, and a file may have ${most}` : await file.readFile()
  } finally {
    await file.close()
  }
}

async function isInside(at: string, within: readonly string[]): Promise<boolean> {
  const real = await realpath(at)
  for (const directory of within) {
    const below = path.relative(await realpath(directory), real)
    if (!below.startsWith('..') && !path.isAbsolute(below)) return true
  }
  return false
}
