/**
 * The schema of a plan file. An unknown field is refused, because a step with a misspelt `dependsOn` would run too early. Editors get it
 * as `schemas/plan.schema.json`, with the descriptions.
 */
import { checkCommandSchema, checkFields, dataSchema, isSpan } from '@agentm/harness/control'
import { commandWords } from '../checks/pure/command-words.ts'
import { z } from 'zod'

const object = z.record(z.string(), z.unknown())
const count = z.int().min(1)
const text = z.string().min(1)
const expression = z.string().trim().min(1)
const span = z
  .union([z.string(), z.number().min(0)])
  .refine((value) => isSpan(value), 'is no length of time. Write it like 90 seconds, 1 hour or 2 days')

/** Its value is known only when the step runs. */
const reference = z.string().regex(/\$\{\{/)
const command = z
  .union([z.string(), checkCommandSchema])
  .describe('A command line such as npm test, or a program and its arguments. It runs without a shell.')
  .transform((given, context) => {
    if (typeof given !== 'string') return given
    const words = commandWords(given)
    if (!('problem' in words)) return { command: words[0] ?? '', args: words.slice(1) }
    context.addIssue(words.problem)
    return z.NEVER
  })

const checkParts = {
  ...checkFields,
  commands: z.array(command).min(1).optional().describe('Programs that must each exit with 0, in order.'),
}
const partNames = ['protect', 'schema', 'commands', 'judge', 'ask']
const hasPart = (check: object): boolean => partNames.some((name) => name in check)
const needsPart = 'needs at least one of protect, schema, commands, judge and ask'

/** The default values are added when the plan is created. */
const stepCheckSchema = z.strictObject(checkParts).refine(hasPart, needsPart)

const { protect: _, ...planCheckParts } = checkParts

const planCheckSchema = z.strictObject(planCheckParts).refine(hasPart, needsPart)

const stepSchema = z.strictObject({
  key: z
    .string()
    .trim()
    .min(1)
    .describe('The name of the step in this plan. Other steps and commands name it, as in agentm approve PLAN/KEY.'),
  title: text.optional().describe('What people read about the step (default: its key).'),
  kind: text
    .optional()
    .describe(
      'What runs the step: agent, approval, command, http, module, or a kind that a plugin adds (default: agent).',
    ),
  dependsOn: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe(
      'The key of a step, or several keys. This step begins when they are done. A reference such as steps.build.output adds build.',
    ),
  input: object
    .optional()
    .describe(
      'What the kind needs, such as command and args. A text may hold values of earlier steps: ${{ steps.build.output.version }}.',
    ),
  files: z
    .union([text, z.array(text).min(1).max(8)])
    .optional()
    .describe(
      'Pictures (PNG, JPEG, GIF, WebP) and PDFs that an agent is shown, named relative to this file. See models.inputs.',
    ),
  assignedAgent: text.optional().describe('The id of the agent that does the step.'),
  nature: z
    .enum(['pure', 'idempotent', 'effectful'])
    .optional()
    .describe('What happens if the step runs twice: nothing, the same effect, or a second effect.'),
  onUnknown: z
    .enum(['ask', 'fail', 'retry'])
    .optional()
    .describe('What happens to an effectful step whose worker is gone (default: ask).'),
  tree: text
    .optional()
    .describe('If the plan keeps work apart: the name of a tree that this step shares with others (default: its own).'),
  output: dataSchema
    .optional()
    .describe(
      'What the step gives, as JSON schema. The step fails if it gives anything else, and references to it are checked before the start. With foreach, it describes one item.',
    ),
  check: stepCheckSchema
    .optional()
    .describe('What must pass before the step is done. An agent goes on with what a failed check said.'),
  retry: z
    .strictObject({
      maxFailures: count.optional().describe('The step has failed permanently after this many failures.'),
      maxCrashes: count.optional().describe('The step is set aside after the worker crashed this many times.'),
      baseMs: z.number().min(0).optional().describe('The pause before the first retry, in milliseconds. It doubles.'),
      capMs: z.number().min(0).optional().describe('The longest pause between two tries, in milliseconds.'),
    })
    .optional()
    .describe('How often a failed step is tried again.'),
  limit: z
    .strictObject({
      key: text.describe('What is shared, such as the name of a server.'),
      atOnce: count.describe('How many steps with this key run at the same time.'),
    })
    .optional()
    .describe('At most this number of steps with this key run at once, over all plans and workers.'),
  rate: z
    .strictObject({
      key: text.describe('What is shared, such as the name of a service.'),
      starts: count.describe('How many steps with this key start within the time.'),
      per: span.describe('The time, such as 1 minute.'),
    })
    .optional()
    .describe('At most this number of steps with this key start within a time, over all plans and workers.'),
  priority: z
    .int()
    .optional()
    .describe('Steps with a higher one start first (default: 0). One point counts as much as one minute of waiting.'),
  startAt: z.iso.datetime({ offset: true }).optional().describe('It does not start before this date and time.'),
  delay: span.optional().describe('It starts so much later than it otherwise could, such as 10 minutes.'),
  expiresIn: span.optional().describe('It fails if it was not started so long after it could start.'),
  foreach: z
    .union([expression, z.array(z.unknown())])
    .optional()
    .describe(
      'Runs the step once for each item of a list. The list is written here, or it is a reference to one, such as steps.hosts.output. The step reads item and index. Its output is the list of the outputs.',
    ),
  atOnce: count.optional().describe('How many items of foreach run at the same time (default: 4).'),
  when: expression
    .optional()
    .describe(
      'A condition, such as steps.test.output.failed == 0 and not steps.build.skipped. If it is not so, the step is skipped, and its output is absent. With foreach it is checked for each item.',
    ),
  until: expression
    .optional()
    .describe(
      'Runs the step again until this condition holds. It reads output and tries, and failed: a step whose until names failed may fail and is tried again.',
    ),
  every: span.optional().describe('The pause between two tries of until (default: 10 seconds).'),
  atMost: count.optional().describe('How many tries until allows (default: 10). After the last one, the step fails.'),
  plan: text
    .optional()
    .describe(
      'Runs another plan file, named relative to this one. Its output has the output of each of its steps, by key.',
    ),
  with: object.optional().describe('The inputs of the plan that plan names.'),
  sleep: z
    .union([
      span,
      reference,
      z.strictObject({
        until: z.union([z.iso.datetime({ offset: true }), reference]).describe('A date and time with its zone.'),
      }),
    ])
    .optional()
    .describe('Waits, such as 90 seconds or 2 days, or { until: 2026-12-24T08:00:00Z }. No worker is occupied.'),
  ask: text.optional().describe('Asks a person. The output is the answer. See agentm approve.'),
  options: z.array(text).min(1).optional().describe('The answers that ask allows (default: any text).'),
  mayAnswer: z
    .enum(['person', 'anyone'])
    .optional()
    .describe('Who may answer ask: only a person (default), or anyone, which includes agents that use the MCP server.'),
  signal: text
    .optional()
    .describe(
      'Waits for a value that somebody sends with agentm signal PLAN NAME VALUE. This is its name; the value is the output.',
    ),
  timeout: span
    .optional()
    .describe(
      'How long it may take, such as 10 minutes. A step with a kind, or a plan, then fails. The output of ask and signal is then absent, which a condition finds with == null.',
    ),
})

export const planFileSchema = z
  .strictObject({
    goal: text.optional().describe('What the plan is for. agentm status shows it.'),
    inputs: z
      .record(
        z.string(),
        z
          .union([z.string(), z.number(), z.boolean(), z.array(z.unknown()), dataSchema])
          .describe(
            'Its default value; or its JSON schema, such as { type: string, default: v1 }. Without a default it is required.',
          ),
      )
      .optional()
      .describe(
        'What the plan needs when it is created, from --input NAME=VALUE. Steps read it as ${{ inputs.NAME }}.',
      ),
    budget: z
      .strictObject({
        maxSteps: count.optional().describe('How many steps may be started.'),
        maxToolCalls: count.optional().describe('How many calls of tools agents may make.'),
        maxTokens: count.optional().describe('How many tokens models may read and write.'),
        maxWallClockMs: z.number().min(1).optional().describe('How long the plan may take, in milliseconds.'),
        maxCost: z.number().min(0.000_001).optional().describe('What models may cost, in dollars.'),
      })
      .optional()
      .describe('Limits of the plan and of all plans that it starts.'),
    trees: z
      .enum(['own', 'shared', 'none'])
      .optional()
      .describe(
        'Where steps work: each in a copy of the folder of its own, all in one copy, or in the folder itself (default: none). See agentm apply.',
      ),
    check: planCheckSchema
      .optional()
      .describe(
        'What must pass, once all steps are done, before the plan is done. Files are protected by the checks of steps.',
      ),
    schedule: z
      .strictObject({
        cron: text.optional().describe('When to start, such as 0 9 * * 1-5 for 9:00 on weekdays.'),
        every: text.optional().describe('Instead of cron: the time between two starts, such as 15 minutes.'),
        zone: text
          .optional()
          .describe('The time zone of cron, such as Europe/Berlin (default: the zone of this machine).'),
        catchUp: z.enum(['skip', 'last', 'all']).optional().describe('What to do with missed starts (default: last).'),
        overlap: z
          .enum(['skip', 'queue', 'allow', 'replace'])
          .optional()
          .describe('What to do if the previous plan still runs (default: skip).'),
        jitter: text.optional().describe('Delays each start by up to this time (default: none).'),
        from: text.optional().describe('No start before this time, such as 2026-12-01 or 2026-12-01T09:00.'),
        until: text.optional().describe('No start after this time.'),
      })
      .optional()
      .describe(
        'When agentm schedule add NAME FILE starts the plan. Its options replace these. agentm plan new ignores it.',
      ),
    steps: z
      .array(stepSchema)
      .min(1, 'a plan has at least one step')
      .describe('The steps. Those that do not depend on each other run at the same time.'),
  })
  .describe('A plan of agentm. agentm plan new --steps FILE creates it.')

/** When the plan is started again and again. */
export type PlanFileSchedule = NonNullable<z.output<typeof planFileSchema>['schedule']>

export type PlanFileStep = z.output<typeof stepSchema>

/** The parts of steps that refer to each other. They are checked even if other fields are wrong. */
export const planOutlineSchema = z.object({
  steps: z.array(
    z.object({
      ...stepSchema.pick({ key: true, kind: true, dependsOn: true, input: true, files: true }).shape,
      plan: z.unknown().optional(),
      sleep: z.unknown().optional(),
      ask: z.unknown().optional(),
      signal: z.unknown().optional(),
    }),
  ),
})

export type OutlinedStep = z.output<typeof planOutlineSchema>['steps'][number]

/** Words that say what a step does instead of a kind. */
export const actions = ['plan', 'sleep', 'ask', 'signal'] as const

/** The kind of an outlined step; `undefined` if another word says what it does. */
export function kindOf(step: OutlinedStep): string | undefined {
  return actions.some((word) => step[word] !== undefined) ? undefined : (step.kind ?? 'agent')
}
