/** Writes the files that a grant needs. They are named after their content, so that they are written once and never change. */
import { fingerprint } from '@agentm/agent-loop/internal'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClientGrant } from './pure/client-grant.ts'

export interface GrantedFiles {
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

export async function grantedFiles(files: ClientGrant['files'], directory: string): Promise<GrantedFiles> {
  const written = await Promise.all(
    Object.entries(files).map(async ([place, text]) => [place, await writtenOnce(text, { directory, place })] as const),
  )
  return {
    args: written.flatMap(([place, file]) => (place.startsWith('$') ? [] : [place, file])),
    environment: Object.fromEntries(
      written.flatMap(([place, file]) => (place.startsWith('$') ? [[place.slice(1), file]] : [])),
    ),
  }
}

async function writtenOnce(
  text: string,
  { directory, place }: { readonly directory: string; readonly place: string },
): Promise<string> {
  const file = path.join(directory, `${fingerprint(text)}.${place.startsWith('$') ? 'json' : 'toml'}`)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // Written each time, because somebody could have changed it; renamed, because another run may read it now.
  const draft = `${file}.${process.pid}.${draftNumber++}`
  await writeFile(draft, text, { mode: 0o600 })
  await rename(draft, file)
  return file
}

let draftNumber = 0
