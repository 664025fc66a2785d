/** The plugin a module exports, found as Node finds it from the working directory. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type BackendPlugin, isBackendPlugin, seamMajor } from '@agentm/storage-seam'

export class PluginAbsentError extends Error {
  override readonly name = 'PluginAbsentError'
  readonly code = 'PLUGIN_ABSENT'
}

export async function loadPlugin(url: string): Promise<BackendPlugin> {
  const loaded = (await import(url)) as { readonly plugin?: unknown }
  if (!isBackendPlugin(loaded.plugin))
    throw new PluginAbsentError(`${url} exports no plugin: { protocol, seam, settingsKey, open(settings) }`)
  if (loaded.plugin.seam !== seamMajor)
    throw new PluginAbsentError(
      `${url} is written for seam ${loaded.plugin.seam}, and this suite proves seam ${seamMajor}. Use the suite that fits.`,
    )
  return loaded.plugin
}

/** URL of a package name, a relative or absolute path, or a URL. */
export async function moduleUrl(module: string): Promise<string> {
  if (isAbsolute(module)) return pathToFileURL(module).href
  if (URL.canParse(module)) return module
  return resolvedHere(module)
}

/**
 * Resolves the module in a plain Node process, because a test runner or bundler may resolve it differently. Deno cannot evaluate a module
 * from the command line, so it resolves in this process.
 */
async function resolvedHere(module: string): Promise<string> {
  if (process.versions['deno'] !== undefined) return resolvedByDeno(module)
  const question = 'process.stdout.write(import.meta.resolve(process.argv[1]))'
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', question, module])
    return stdout
  } catch (error) {
    throw absent(module, error)
  }
}

function resolvedByDeno(module: string): string {
  try {
    return pathToFileURL(createRequire(pathToFileURL(`${process.cwd()}/`)).resolve(module)).href
  } catch (error) {
    throw absent(module, error)
  }
}

function absent(module: string, cause: unknown): PluginAbsentError {
  return new PluginAbsentError(`there is no module ${JSON.stringify(module)} to be found from ${process.cwd()}`, {
    cause,
  })
}
