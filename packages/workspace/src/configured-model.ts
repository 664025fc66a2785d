/**
 * The model of this user, as their own config says: `models.url` and `models.model` name any endpoint of the chat completions
 * protocol, `models.package` a provider package of the AI SDK instead, `models.prices` what a million tokens cost, in dollars. The key
 * comes from the environment alone, from the variable that `models.keyVariable` names. `models.roles` names other models for some
 * uses, `models.fallbacks` those that answer if one cannot.
 */
import type { AgentKindOptions } from '@agentm/harness'
import type { Model } from '@agentm/agent-loop'
import { systemRuntime } from '@agentm/agent-loop'
import { acceptingOnly } from '@agentm/agent-loop/internal'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { type ModelChoice, priceOf, setPrice, settings } from '@agentm/settings'
import { inputsOf } from '@agentm/settings/internal'
import { loadModelPackage } from './load-model-package.ts'
import { ModelSettingsError } from './model-settings-error.ts'
import type { WorkspaceObserver } from './workspace-observer.ts'

/** What a model is used for. Each use may have a model of its own: `models.roles.planner` and so on. */
export type ModelRole = 'planner' | 'worker' | 'judge' | 'learning'

export interface ConfiguredModel {
  readonly model: Model
  /** As people name it. */
  readonly name: string
  /** Those that answer if it cannot, in order. */
  readonly fallbacks: readonly string[]
  /** The first of them all without a price; `undefined` if each has one. */
  readonly unpriced: string | undefined
  /** What the agent's loop has to know of it. */
  readonly loop: Pick<AgentKindOptions, 'window' | 'limits' | 'modelRetry'>
  /** The variable its key comes from. */
  readonly keyVariable: string
  /** Its endpoint, or the address its package uses. */
  readonly url: string | undefined
  /** The package it comes from, if it is not an endpoint. */
  readonly package: string | undefined
}

export async function configuredModel(
  config: InstallConfig,
  world: SelectionWorld,
  role: ModelRole = 'worker',
  observer?: Pick<WorkspaceObserver, 'model'>,
): Promise<ConfiguredModel | undefined> {
  const { values } = config
  const { 'models.url': url, 'models.model': usual, 'models.package': from } = values
  const ofRole = values[`models.roles.${role}`]
  const name = ofRole?.model ?? usual
  if (url === undefined && name === undefined && from === undefined) return undefined
  if (name === undefined || (url ?? from ?? ofRole?.url ?? ofRole?.package) === undefined)
    throw new ModelSettingsError(
      'a model needs both models.url and models.model. To set them: agentm config set models.url https://…/v1 && agentm config set models.model NAME',
    )
  const seen = (each: Chosen): Chosen =>
    observer === undefined ? each : { ...each, model: observer.model(each.model, each) }
  const usualChoice = { choice: ofRole ?? { model: name }, setting: `models.roles.${role}` }
  const first = seen(await chosen(config, world, usualChoice))
  const others: Chosen[] = []
  for (const choice of values['models.fallbacks'] ?? [])
    others.push(seen(await chosen(config, world, { choice, setting: 'models.fallbacks' })))
  const all = [first, ...others] as const
  const { withFallbacks } = await import('@agentm/agent-loop/models')
  return {
    model: others.length === 0 ? first.model : withFallbacks(all),
    name,
    fallbacks: others.map((other) => other.name),
    unpriced: all.find(({ model }) => model.costMicrosOf === undefined)?.name,
    keyVariable: first.keyVariable,
    url: first.url,
    package: first.package,
    loop: loopOf(config),
  }
}

/** The variables that keys of models come from, whatever their role. Programs do not see them. */
export function modelKeyVariables({ values }: InstallConfig): readonly string[] {
  const roles = ['planner', 'worker', 'judge', 'learning'] as const
  const choices = [...roles.map((role) => values[`models.roles.${role}`]), ...(values['models.fallbacks'] ?? [])]
  const named = choices.flatMap((choice) => choice?.keyVariable ?? [])
  return [values['models.keyVariable'] ?? settings['models.keyVariable'].default, ...named]
}

type Chosen = Pick<ConfiguredModel, 'name' | 'model' | 'keyVariable' | 'url' | 'package'>

async function chosen(
  config: InstallConfig,
  world: SelectionWorld,
  { choice, setting }: { readonly choice: ModelChoice; readonly setting: string },
): Promise<Chosen> {
  const { values } = config
  const usual = values['models.keyVariable']
  const keyVariable = choice.keyVariable ?? usual ?? settings['models.keyVariable'].default
  const named = choice.keyVariable !== undefined ? setting : usual !== undefined ? 'models.keyVariable' : undefined
  const key = keyOf(world.env, keyVariable, named)
  // A choice that says where it is takes nothing from where the others are.
  const isElsewhere = choice.url !== undefined || choice.package !== undefined
  const url = isElsewhere ? choice.url : values['models.url']
  const from = isElsewhere ? choice.package : values['models.package']
  const wanted = { config, name: choice.model, key, ...(url !== undefined && { url }) }
  const whole = from !== undefined ? await packaged(from, { ...wanted, setting }, world) : await atEndpoint(wanted)
  const model = acceptingOnly(whole, inputsOf(values['models.inputs'], choice.model))
  return { name: choice.model, model, keyVariable, url, package: from }
}

interface Wanted {
  readonly config: InstallConfig
  readonly name: string
  readonly url?: string
  readonly key: string | undefined
}

async function atEndpoint({ config, name, url = '', key }: Wanted): Promise<Model> {
  const { 'models.prices': prices, 'models.parameters': parameters, 'models.promptCache': cache } = config.values
  const price = priceOf(prices, name)
  const { endpointModel } = await import('@agentm/agent-loop/models')
  return endpointModel({
    url,
    model: name,
    runtime: systemRuntime,
    ...(key !== undefined && { key }),
    ...(price !== undefined && { price }),
    ...(parameters !== undefined && { parameters }),
    ...(cache === 'key' && { cacheKey: true }),
  })
}

async function packaged(
  from: string,
  { config, name, url, key, setting }: Wanted & { readonly setting: string },
  world: SelectionWorld,
): Promise<Model> {
  const price = priceOf(config.values['models.prices'], name)
  const made = {
    ...config.values['models.settings'],
    ...(key !== undefined && { apiKey: key }),
    ...(url !== undefined && { baseURL: url }),
  }
  const languageModel = await loadModelPackage(
    { package: from, model: name, settings: made, ...(from !== config.values['models.package'] && { setting }) },
    world,
  )
  const { aiSdkModel } = await import('@agentm/agent-loop/models')
  const secrets = key === undefined ? [] : [key]
  return aiSdkModel(languageModel, {
    runtime: systemRuntime,
    secrets,
    cacheMarks: config.values['models.promptCache'] !== 'off',
    ...(price !== undefined && { price }),
  })
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
  if (configured?.unpriced !== undefined) throw new UnpricedModelError(configured.unpriced)
}

/** A variable that a setting names must be set. Without a name the key is optional, because a local endpoint may need none. */
function keyOf(env: SelectionWorld['env'], variable: string, setting: string | undefined): string | undefined {
  const key = env[variable]?.trim()
  if (key !== undefined && key !== '') return key
  if (setting === undefined) return undefined
  throw new ModelSettingsError(
    `${setting} names the variable ${variable}, which is not set. Set it, or remove the setting: agentm config unset ${setting}`,
  )
}

/** The endpoint adapter already retries its requests. The loop only repeats replies that broke off. */
function loopOf({ values }: InstallConfig): ConfiguredModel['loop'] {
  const { 'models.contextTokens': maxTokens = 0, 'models.outputTokens': outputTokens } = values
  const { 'models.summaries': summary = settings['models.summaries'].default } = values
  return {
    modelRetry: { attempts: 2 },
    // Without a size, the window is that of the error that says that it was exceeded.
    window: { maxTokens, summary },
    ...(outputTokens !== undefined && { limits: { outputTokens } }),
  }
}
