/** The database of opencode with the session of a real client, where opencode keeps it. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const writer = fileURLToPath(new URL('../../transcripts/test/processes/write-opencode.mjs', import.meta.url))

export async function writeOpencodeSession(home: string): Promise<void> {
  const directory = path.join(home, '.local', 'share', 'opencode')
  await mkdir(directory, { recursive: true })
  await promisify(execFile)(process.execPath, [writer, path.join(directory, 'opencode.db')])
}
