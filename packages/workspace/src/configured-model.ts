/**
 * The model of this user, as their own config says: `models.url` and `models.model` name any endpoint of the chat completions
 * protocol, `models.prices` what a million tokens cost. The key comes from the environment alone, from the variable that
 * `models.keyVariable` names.
 */
import type { AgentKindOptions } from '@agentm/harness'
import type { Model } from '@agentm/harness/inner-loop'
import { systemRuntime } from '@agentm/harness'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { z } from 'zod'
import { settingOf } from './json-setting.ts'

export interface ConfiguredModel {
  readonly model: Model
  /** As people name it. */
  readonly name: string
  /** What the agent's loop has to know of it. */
  readonly loop: Pick<AgentKindOptions, 'window' | 'limits' | 'modelRetry'>
  /** The variable its key comes from. */
  readonly keyVariable: string
}

/** The config names a model that cannot be had. */
export class ModelSettingsError extends Error {
  override readonly name = 'ModelSettingsError'
  readonly code = 'MODEL_CONFIG'
  readonly retryable = false
}

const priceSchema = z.object({
  input: z.number().min(0),
  output: z.number().min(0),
  cachedInput: z.number().min(0).optional(),
})
/** One price, or one for each model by its name. */
const pricesSchema = z.union([priceSchema, z.record(z.string(), priceSchema)])

export async function configuredModel(
  config: InstallConfig,
  { env }: Pick<SelectionWorld, 'env'>,
): Promise<ConfiguredModel | undefined> {
  const { 'models.url': url, 'models.model': name, 'models.keyVariable': variable } = config.values
  if (url === undefined && name === undefined) return undefined
  if (typeof url !== 'string' || typeof name !== 'string')
    throw new ModelSettingsError(
      'a model needs both models.url and models.model. Set them: agentm config set models.url https://…/v1, agentm config set models.model NAME.',
    )
  const keyVariable = typeof variable === 'string' ? variable : 'AGENTM_MODEL_KEY'
  const key = keyOf(env, keyVariable, variable !== undefined)
  const [price, parameters] = [priceOf(config, name), parametersOf(config)]
  const { endpointModel } = await import('@agentm/harness/models')
  const model = endpointModel({
    url,
    model: name,
    runtime: systemRuntime,
    ...(key !== undefined && { key }),
    ...(price !== undefined && { price }),
    ...(parameters !== undefined && { parameters }),
  })
  return { model, name, keyVariable, loop: loopOf(config) }
}

/** A variable that was named on purpose has to be there; an endpoint of one's own may want no key. */
function keyOf(env: SelectionWorld['env'], variable: string, isNamed: boolean): string | undefined {
  const key = env[variable]?.trim()
  if (key !== undefined && key !== '') return key
  if (!isNamed) return undefined
  throw new ModelSettingsError(
    `models.keyVariable names ${variable}, and that variable is not set here. Set it, or take models.keyVariable out of the config.`,
  )
}

type Price = z.infer<typeof priceSchema>

function priceOf(config: InstallConfig, name: string) {
  const prices = settingOf(config, 'models.prices', pricesSchema)
  if (prices === undefined) return undefined
  const found: Price | undefined = isPrice(prices) ? prices : prices[name]
  if (found === undefined) return undefined
  const { cachedInput, ...price } = found
  return cachedInput === undefined ? price : { ...price, cachedInput }
}

function isPrice(prices: z.infer<typeof pricesSchema>): prices is Price {
  return priceSchema.safeParse(prices).success
}

function parametersOf(config: InstallConfig): Readonly<Record<string, unknown>> | undefined {
  return settingOf(config, 'models.parameters', z.record(z.string(), z.unknown()))
}

/** The endpoint is asked again by its own patience; here only what broke off in the middle begins anew. */
function loopOf(config: InstallConfig): ConfiguredModel['loop'] {
  const tokens = z.int().min(1)
  const maxTokens = settingOf(config, 'models.contextTokens', tokens)
  const outputTokens = settingOf(config, 'models.outputTokens', tokens)
  return {
    modelRetry: { attempts: 2 },
    ...(maxTokens !== undefined && { window: { maxTokens } }),
    ...(outputTokens !== undefined && { limits: { outputTokens } }),
  }
}
