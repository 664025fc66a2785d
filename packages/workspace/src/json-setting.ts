/** A setting that is more than a text. On the command line it is written as JSON, in the file it may stand as it is. */
import type { InstallConfig } from '@agentm/selection/reader'
import type { z } from 'zod'
import { HarnessConfigError } from './harness-config-error.ts'

export function settingOf<T>(
  { values, file }: Pick<InstallConfig, 'values' | 'file'>,
  key: string,
  schema: z.ZodType<T>,
): T | undefined {
  const value = values[key]
  if (value === undefined || value === null) return undefined
  const asIs = schema.safeParse(value)
  if (asIs.success) return asIs.data
  const parsed = typeof value === 'string' ? schema.safeParse(parsedOr(value)) : asIs
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.') || 'it'}: ${message}`)
  throw new HarnessConfigError(
    `${file}: "${key}" does not say what it should (${problems.join('; ')}). Correct it: agentm config set ${key} VALUE.`,
  )
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
