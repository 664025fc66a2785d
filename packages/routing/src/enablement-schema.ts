/** The schema of the enablement block. Keys of other programs are ignored. */
import * as z from 'zod'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? undefined)

const enablement = z.looseObject({
  enabled: flag,
  auto_detected: flag,
  rationale: text,
  rule_id: text,
  operator_action: text,
})

const enablements = z
  .record(z.string(), enablement)
  .nullish()
  .transform((value) => value ?? {})

export const enablementSchema = z.looseObject({
  type: text,
  skills: enablements,
  hooks: enablements,
  registered_at: text,
  registered_via: text,
  operator_overrides: z.unknown().optional(),
  last_redetect_at: text,
})
