/**
 * What reads the first results again, as the config says: `reranker.provider` is `none`, `http` for a `/rerank` endpoint, `package` for a
 * language model of an installed provider package of the AI SDK, or `onnx` for a cross-encoder in a directory of this machine. A key comes
 * from the environment alone (`AGENTM_RERANKER_KEY`).
 */
import path from 'node:path'
import type { RerankSettings, Reranker } from '@agentm/memory/rerankers'
import type { SelectionWorld } from '@agentm/selection/reader'
import { type ConfigValues, settings } from '@agentm/settings'
import { importInstalled, isInstalled } from './import-installed.ts'
import { loadModelPackage } from './load-model-package.ts'
import { RerankerConfigError } from './reranker-config-error.ts'

/** Loaded only if a reranker is configured, because hooks have little time. */
export async function configuredReranker(values: ConfigValues, world: SelectionWorld): Promise<RerankSettings> {
  return {
    reranker: await openReranker(values, world),
    first: values['reranker.first'] ?? settings['reranker.first'].default,
    deadlineMs: values['reranker.deadlineMs'] ?? settings['reranker.deadlineMs'].default,
  }
}

async function openReranker(values: ConfigValues, world: SelectionWorld): Promise<Reranker> {
  const { 'reranker.provider': provider, 'reranker.url': url, 'reranker.model': model } = values
  const apiKey = world.env['AGENTM_RERANKER_KEY']
  const key = apiKey === undefined ? {} : { apiKey }
  if (provider === 'onnx') return openOnnx(values, world)
  if (provider === 'package') return openModel(values, world)
  if (url === undefined)
    throw new RerankerConfigError(
      'reranker.provider is http, but reranker.url is not set. To set it: agentm config set reranker.url http://127.0.0.1:8080',
    )
  const { endpointReranker } = await import('@agentm/memory/rerankers')
  return endpointReranker({ url, ...(model === undefined ? {} : { model }), ...key })
}

async function openModel(values: ConfigValues, world: SelectionWorld): Promise<Reranker> {
  const { 'reranker.package': from, 'reranker.model': model, 'reranker.url': baseURL } = values
  if (from === undefined || model === undefined)
    throw new RerankerConfigError(
      'reranker.provider is package, which needs reranker.package and reranker.model. To set one: agentm config set KEY VALUE',
    )
  const apiKey = world.env['AGENTM_RERANKER_KEY']
  const made = { name: from, ...(apiKey !== undefined && { apiKey }), ...(baseURL !== undefined && { baseURL }) }
  const loaded = await loadModelPackage({ package: from, model, settings: made, setting: 'reranker.package' }, world)
  const { modelReranker } = await import('@agentm/memory/rerankers')
  return modelReranker(loaded)
}

const transformers = '@huggingface/transformers'

async function openOnnx(values: ConfigValues, world: SelectionWorld): Promise<Reranker> {
  const { 'reranker.package': from = transformers, 'reranker.model': directory } = values
  if (directory === undefined || !path.isAbsolute(directory))
    throw new RerankerConfigError(
      'reranker.provider is onnx, but reranker.model does not name the directory of a cross-encoder. To set it: agentm config set reranker.model /absolute/path',
    )
  if (!(await isInstalled(from, world)))
    throw new RerankerConfigError(
      `the configured reranker needs the package ${from}, which is not installed. To install it: npm install --prefix ~/.claude ${from}`,
    )
  const { crossEncoder } = await import('@agentm/memory/rerankers')
  return crossEncoder({
    load: async () => importInstalled(from, world),
    directory: path.dirname(directory),
    model: path.basename(directory),
  })
}
