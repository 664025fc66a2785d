import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { CheckCommand } from '@agentm/harness/control'
import { checkCandidates, tellingFiles } from './pure/check-candidates.ts'

/** The commands that could check the work in this directory. */
export async function findCandidates(directory: string): Promise<readonly CheckCommand[]> {
  const files = new Map<string, string>()
  for (const name of tellingFiles) {
    const text = await readIfPresent(path.join(directory, name))
    if (text !== undefined) files.set(name, text)
  }
  return checkCandidates(files)
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'EISDIR', 'ENOTDIR'].includes(String(error.code)))
      return undefined
    throw error
  }
}
