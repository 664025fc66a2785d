/**
 * Every metric, once: the instruments, the Prometheus names, the dashboard and the documentation follow this table. Names that begin
 * with `gen_ai.` come from the semantic conventions.
 */

export interface MetricRow {
  readonly name: string
  readonly kind: 'counter' | 'histogram' | 'gauge'
  /** A unit of UCUM; in braces it is only a remark. */
  readonly unit: string
  readonly description: string
  /** The limits of the buckets of a histogram. */
  readonly buckets?: readonly number[]
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]
const recallSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** From the conventions. */
const modelSeconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864]

/**
 * Every metric: its name, kind, unit and description.
 *
 * @example
 * ```ts
 * import { metricTable } from '@agentm/telemetry/metrics'
 *
 * console.log(metricTable.queueDepth.name) // agentm.queue.depth
 * ```
 */
export const metricTable = {
  queueDepth: {
    name: 'agentm.queue.depth',
    kind: 'gauge',
    unit: '{step}',
    description: 'Unfinished steps of open plans, by status',
  },
  queueLag: {
    name: 'agentm.queue.lag',
    kind: 'gauge',
    unit: 's',
    description: 'How long the oldest step that could start has been waiting',
  },
  workers: { name: 'agentm.workers', kind: 'gauge', unit: '{worker}', description: 'Live worker processes of the log' },
  claims: {
    name: 'agentm.step.claims',
    kind: 'counter',
    unit: '{claim}',
    description: 'Steps that this process started',
  },
  attempts: {
    name: 'agentm.step.duration',
    kind: 'histogram',
    unit: 's',
    description: 'How long attempts took, by kind of step and by how they ended',
    buckets: seconds,
  },
  retries: {
    name: 'agentm.step.retries',
    kind: 'counter',
    unit: '{retry}',
    description: 'Steps made ready again, by cause',
  },
  deadLetters: {
    name: 'agentm.step.dead_letters',
    kind: 'counter',
    unit: '{step}',
    description: 'Steps that were set aside because they lost too many workers',
  },
  plans: {
    name: 'agentm.plan.duration',
    kind: 'histogram',
    unit: 's',
    description: 'How long plans took from their first claim, by how they ended',
    buckets: seconds,
  },
  tokens: {
    name: 'agentm.tokens',
    kind: 'counter',
    unit: '{token}',
    description: 'Tokens that steps booked on their plans',
  },
  cost: {
    name: 'agentm.cost.usd',
    kind: 'counter',
    unit: '{usd}',
    description: 'Dollars that steps booked on their plans',
  },
  tools: {
    name: 'agentm.tool.duration',
    kind: 'histogram',
    unit: 's',
    description: 'How long calls of tools took',
    buckets: seconds,
  },
  recalls: {
    name: 'agentm.recall.duration',
    kind: 'histogram',
    unit: 's',
    description: 'How long recalls from memory took',
    buckets: recallSeconds,
  },
  modelCalls: {
    name: 'gen_ai.client.operation.duration',
    kind: 'histogram',
    unit: 's',
    description: 'GenAI operation duration.',
    buckets: modelSeconds,
  },
  modelTokens: {
    name: 'gen_ai.client.token.usage',
    kind: 'histogram',
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    buckets: tokens,
  },
} as const satisfies Readonly<Record<string, MetricRow>>
