/** Data from outside, checked by a schema. A fault names the file and the line, so that a person can find it. */
import { z } from 'zod'
import { UsageError } from '../../command.ts'

export interface DataFile {
  readonly name: string
  readonly text: string
}

export function parsedJson<T>({ name, text }: DataFile, schema: z.ZodType<T>): T {
  return checked(jsonIn(text, name), schema, name)
}

/** One value per line. Empty lines are skipped. */
export function parsedLines<T>({ name, text }: DataFile, schema: z.ZodType<T>): readonly T[] {
  return text.split('\n').flatMap((line, i) => {
    const where = `${name}, line ${i + 1}`
    return line.trim() === '' ? [] : [checked(jsonIn(line, where), schema, where)]
  })
}

function jsonIn(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${where} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function checked<T>(value: unknown, schema: z.ZodType<T>, where: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UsageError(`${where} cannot be used: ${z.prettifyError(parsed.error)}`)
}
