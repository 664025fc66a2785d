/**
 * The model of this user, as their own config says: `models.url` and `models.model` name any endpoint of the chat completions
 * protocol, `models.package` a provider package of the AI SDK instead, `models.prices` what a million tokens cost. The key comes from the environment alone, from the variable that
 * `models.keyVariable` names.
 */
import type { AgentKindOptions } from '@agentm/harness'
import type { Model } from '@agentm/harness/inner-loop'
import { systemRuntime } from '@agentm/harness'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { z } from 'zod'
import { settingOf } from './json-setting.ts'
import { loadModelPackage } from './load-model-package.ts'
import { ModelSettingsError } from './model-settings-error.ts'

export interface ConfiguredModel {
  readonly model: Model
  /** As people name it. */
  readonly name: string
  /** What the agent's loop has to know of it. */
  readonly loop: Pick<AgentKindOptions, 'window' | 'limits' | 'modelRetry'>
  /** The variable its key comes from. */
  readonly keyVariable: string
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
  world: SelectionWorld,
): Promise<ConfiguredModel | undefined> {
  const { 'models.url': url, 'models.model': name, 'models.package': from } = config.values
  if (url === undefined && name === undefined && from === undefined) return undefined
  if (typeof name !== 'string' || (typeof url !== 'string' && typeof from !== 'string'))
    throw new ModelSettingsError(
      'a model needs both models.url and models.model. Set them: agentm config set models.url https://…/v1, agentm config set models.model NAME.',
    )
  const variable = config.values['models.keyVariable']
  const keyVariable = typeof variable === 'string' ? variable : 'AGENTM_MODEL_KEY'
  const key = keyOf(world.env, keyVariable, variable !== undefined)
  const wanted = { config, name, key, ...(typeof url === 'string' && { url }) }
  const model = typeof from === 'string' ? await packaged(from, wanted, world) : await atEndpoint(wanted)
  return { model, name, keyVariable, loop: loopOf(config) }
}

interface Wanted {
  readonly config: InstallConfig
  readonly name: string
  readonly url?: string
  readonly key: string | undefined
}

async function atEndpoint({ config, name, url = '', key }: Wanted): Promise<Model> {
  const [price, parameters] = [priceOf(config, name), settingOf(config, 'models.parameters', anything)]
  const { endpointModel } = await import('@agentm/harness/models')
  return endpointModel({
    url,
    model: name,
    runtime: systemRuntime,
    ...(key !== undefined && { key }),
    ...(price !== undefined && { price }),
    ...(parameters !== undefined && { parameters }),
  })
}

async function packaged(from: string, { config, name, url, key }: Wanted, world: SelectionWorld): Promise<Model> {
  const price = priceOf(config, name)
  const settings = {
    ...settingOf(config, 'models.settings', anything),
    ...(key !== undefined && { apiKey: key }),
    ...(url !== undefined && { baseURL: url }),
  }
  const languageModel = await loadModelPackage({ package: from, model: name, settings }, world)
  const { aiSdkModel } = await import('@agentm/harness/models')
  const secrets = key === undefined ? [] : [key]
  return aiSdkModel(languageModel, { runtime: systemRuntime, secrets, ...(price !== undefined && { price }) })
}

const anything = z.record(z.string(), z.unknown())

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
