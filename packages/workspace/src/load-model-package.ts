/**
 * A language model from a provider package of the AI SDK that the user installed beside agentm and named in their config. It
 * is looked for where plugins are, and never in the folder being worked in.
 */
import type { AiSdkLanguageModel } from '@agentm/agent-loop/models'
import type { SelectionWorld } from '@agentm/selection/reader'
import { importInstalled } from './import-installed.ts'
import { isFunction, providerFactory } from './provider-factory.ts'
import { ModelSettingsError } from './model-settings-error.ts'

export interface PackagedModel {
  /** Such as `@ai-sdk/anthropic`. */
  readonly package: string
  readonly model: string
  /** What its provider is made with: `apiKey`, `baseURL`, and whatever else it takes. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The setting that names the package (default: `models.package`). */
  readonly setting?: string
}

export async function loadModelPackage(wanted: PackagedModel, world: SelectionWorld): Promise<AiSdkLanguageModel> {
  const { setting = 'models.package' } = wanted
  const module = await importInstalled(wanted.package, world)
  if (module === undefined)
    throw new ModelSettingsError(
      `${setting} names ${wanted.package}, which is not installed. To install it: npm install --prefix ~/.claude ${wanted.package}`,
    )
  const make = providerFactory(module)
  if (make === undefined) throw noProvider(wanted.package, setting)
  const provider = make(wanted.settings)
  const model = isFunction(provider) ? provider(wanted.model) : undefined
  if (!isLanguageModel(model)) throw noProvider(wanted.package, setting)
  return model
}

function noProvider(name: string, setting: string): ModelSettingsError {
  return new ModelSettingsError(
    `${setting} names ${name}, which is not a provider package of the AI SDK 5 or 6. Name another package.`,
  )
}

function isLanguageModel(value: unknown): value is AiSdkLanguageModel {
  return (
    typeof value === 'object' && value !== null && 'doGenerate' in value && 'doStream' in value && 'modelId' in value
  )
}
