/**
 * The model of this user, as their own config says: `models.url` and `models.model` name any endpoint of the chat completions
 * protocol, `models.package` a provider package of the AI SDK instead, `models.prices` what a million tokens cost, in dollars. The key
 * comes from the environment alone, from the variable that `models.keyVariable` names.
 */
import type { AgentKindOptions } from '@agentm/harness'
import type { Model } from '@agentm/agent-loop'
import { systemRuntime } from '@agentm/agent-loop'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { priceOf, setPrice, settings } from '@agentm/settings'
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

export async function configuredModel(
  config: InstallConfig,
  world: SelectionWorld,
): Promise<ConfiguredModel | undefined> {
  const { 'models.url': url, 'models.model': name, 'models.package': from } = config.values
  if (url === undefined && name === undefined && from === undefined) return undefined
  if (name === undefined || (url === undefined && from === undefined))
    throw new ModelSettingsError(
      'a model needs both models.url and models.model. To set them: agentm config set models.url https://…/v1 && agentm config set models.model NAME',
    )
  const variable = config.values['models.keyVariable']
  const keyVariable = variable ?? settings['models.keyVariable'].default
  const key = keyOf(world.env, keyVariable, variable !== undefined)
  const wanted = { config, name, key, ...(url !== undefined && { url }) }
  const model = from !== undefined ? await packaged(from, wanted, world) : await atEndpoint(wanted)
  return { model, name, keyVariable, loop: loopOf(config) }
}

interface Wanted {
  readonly config: InstallConfig
  readonly name: string
  readonly url?: string
  readonly key: string | undefined
}

async function atEndpoint({ config, name, url = '', key }: Wanted): Promise<Model> {
  const { 'models.prices': prices, 'models.parameters': parameters } = config.values
  const price = priceOf(prices, name)
  const { endpointModel } = await import('@agentm/agent-loop/models')
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
  const price = priceOf(config.values['models.prices'], name)
  const made = {
    ...config.values['models.settings'],
    ...(key !== undefined && { apiKey: key }),
    ...(url !== undefined && { baseURL: url }),
  }
  const languageModel = await loadModelPackage({ package: from, model: name, settings: made }, world)
  const { aiSdkModel } = await import('@agentm/agent-loop/models')
  const secrets = key === undefined ? [] : [key]
  return aiSdkModel(languageModel, { runtime: systemRuntime, secrets, ...(price !== undefined && { price }) })
}

/** A plan has a cost limit, but the config has no price for the model. */
export class UnpricedModelError extends Error {
  override readonly name = 'UnpricedModelError'
  readonly code = 'MODEL_UNPRICED'
  readonly model: string
  constructor(model: string) {
    super(
      `nothing was started, because the plan has a cost limit and the config has no price for the model ${model}. Set it, in dollars per million tokens: ${setPrice(model)}`,
    )
    this.model = model
  }
}

/** Throws if a cost limit is set but the model has no price. */
export function checkPriced(configured: ConfiguredModel | undefined): void {
  if (configured !== undefined && configured.model.costMicrosOf === undefined)
    throw new UnpricedModelError(configured.name)
}

/** A variable that the config names must be set. Without a name the key is optional, because a local endpoint may need none. */
function keyOf(env: SelectionWorld['env'], variable: string, isNamed: boolean): string | undefined {
  const key = env[variable]?.trim()
  if (key !== undefined && key !== '') return key
  if (!isNamed) return undefined
  throw new ModelSettingsError(
    `models.keyVariable names the variable ${variable}, which is not set. Set it, or remove the setting: agentm config unset models.keyVariable`,
  )
}

/** The endpoint adapter already retries its requests. The loop only repeats replies that broke off. */
function loopOf({ values }: InstallConfig): ConfiguredModel['loop'] {
  const { 'models.contextTokens': maxTokens, 'models.outputTokens': outputTokens } = values
  return {
    modelRetry: { attempts: 2 },
    ...(maxTokens !== undefined && { window: { maxTokens } }),
    ...(outputTokens !== undefined && { limits: { outputTokens } }),
  }
}
