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
  const parsed = parsedSetting(value, schema)
  if (parsed.success) return parsed.data
  const problems = worded(parsed.error)
  throw new HarnessConfigError(
    `${file}: "${key}" does not say what it should (${problems.join('; ')}). Correct it: agentm config set ${key} VALUE.`,
  )
}

/** What is wrong with a value, before it is a setting. */
export function problemsOf(value: unknown, schema: z.ZodType): readonly string[] {
  const parsed = parsedSetting(value, schema)
  return parsed.success ? [] : worded(parsed.error)
}

function worded({ issues }: z.ZodError): readonly string[] {
  return issues.map(({ path, message }) => `${path.map(String).join('.') || 'it'}: ${message}`)
}

/** As it stands, or as the JSON it is written in. */
function parsedSetting<T>(value: unknown, schema: z.ZodType<T>) {
  const asIs = schema.safeParse(value)
  return asIs.success || typeof value !== 'string' ? asIs : schema.safeParse(parsedOr(value))
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
