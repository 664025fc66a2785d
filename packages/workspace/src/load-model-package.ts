/**
 * A language model from a provider package of the AI SDK that the user installed beside agentm and named in their config. It
 * is looked for where plugins are, and never in the folder being worked in.
 */
import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AiSdkLanguageModel } from '@agentm/harness/models'
import { installPrefix, type SelectionWorld } from '@agentm/selection/reader'
import { ModelSettingsError } from './model-settings-error.ts'

export interface PackagedModel {
  /** Such as `@ai-sdk/anthropic`. */
  readonly package: string
  readonly model: string
  /** What its provider is made with: `apiKey`, `baseURL`, and whatever else it takes. */
  readonly settings: Readonly<Record<string, unknown>>
}

export async function loadModelPackage(wanted: PackagedModel, world: SelectionWorld): Promise<AiSdkLanguageModel> {
  const entry = await findEntry(wanted.package, world)
  if (entry === undefined)
    throw new ModelSettingsError(
      `models.package names ${wanted.package}, which is not installed. Install it beside agentm: npm install -g ${wanted.package}.`,
    )
  const module = (await import(pathToFileURL(entry).href)) as Readonly<Record<string, unknown>>
  const factories = Object.keys(module).filter((name) => /^create[A-Z]/.test(name))
  const [factory] = factories
  const make = factory === undefined ? undefined : module[factory]
  if (factories.length !== 1 || !isFunction(make)) throw noProvider(wanted.package)
  const provider = make(wanted.settings)
  const model = isFunction(provider) ? provider(wanted.model) : undefined
  if (!isLanguageModel(model)) throw noProvider(wanted.package)
  return model
}

async function findEntry(name: string, world: SelectionWorld): Promise<string | undefined> {
  if (!/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name)) return undefined
  for (const place of [installPrefix(world), ...world.installations]) {
    const manifest = path.join(place, 'node_modules', name, 'package.json')
    const isThere = await access(manifest).then(
      () => true,
      () => false,
    )
    // Resolved from within, so that nothing of a directory above is taken for it.
    if (isThere) return createRequire(path.join(place, 'node_modules', 'agentm.js')).resolve(name)
  }
  return undefined
}

function noProvider(name: string): ModelSettingsError {
  return new ModelSettingsError(`models.package names ${name}, and that is no provider package of the AI SDK 5 or 6.`)
}

function isFunction(value: unknown): value is (argument: unknown) => unknown {
  return typeof value === 'function'
}

function isLanguageModel(value: unknown): value is AiSdkLanguageModel {
  return (
    typeof value === 'object' && value !== null && 'doGenerate' in value && 'doStream' in value && 'modelId' in value
  )
}
