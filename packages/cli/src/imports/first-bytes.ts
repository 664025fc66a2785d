/** The beginning of a file, to see what it is. */
import { open } from 'node:fs/promises'

export async function firstBytes(file: string, most: number): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(most), 0, most, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The first character that is neither white space nor a byte order mark. */
export async function firstByte(file: string): Promise<string> {
  return (await firstBytes(file, 4096))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
    .slice(0, 1)
}
