import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { ToolError } from '../../loop/tool-error.ts'

export interface Reading {
  /** The file as the model names it. */
  readonly name: string
  readonly maxBytes: number
  /** Read more than that before it is decided (default: `maxBytes`). */
  readonly readsBytes?: number
}

/** Reads a text file. A link that was put there meanwhile is refused, and so is a pipe, which may never end. */
export async function readText(at: string, reading: Reading): Promise<string> {
  return textOf(await readBytes(at, reading), reading)
}

export function textOf(bytes: Buffer, reading: Reading): string {
  refuseLarge(bytes.length, reading)
  if (bytes.includes(0)) throw new ToolError('validation', `${reading.name} is no text`)
  return bytes.toString('utf8')
}

export async function readBytes(at: string, reading: Reading): Promise<Buffer> {
  const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw new ToolError('validation', `${reading.name} is no file`)
    if (facts.size > (reading.readsBytes ?? 0)) refuseLarge(facts.size, reading)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

export function refuseLarge(bytes: number, { name, maxBytes }: Reading): void {
  if (bytes > maxBytes)
    throw new ToolError('validation', `${name}: ${bytes} bytes are more than the ${maxBytes} allowed`)
}
