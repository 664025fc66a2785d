/** Loads a module for steps of kind `module`: one that the user's config lists, named exactly as it is listed there. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { HarnessConfigError } from './harness-config-error.ts'
import type { HarnessPolicy } from './harness-policy.ts'

export async function loadStepModule(
  name: string,
  { modules }: Pick<HarnessPolicy, 'modules'>,
): Promise<Readonly<Record<string, unknown>>> {
  if (!path.isAbsolute(name) || !modules.includes(name))
    throw new HarnessConfigError(
      `the module ${JSON.stringify(name)} is not among harness.modules (${modules.join(', ') || 'none'}). ` +
        'Allow it by its absolute path: agentm config set harness.modules FILE,…',
    )
  return (await import(pathToFileURL(name).href)) as Readonly<Record<string, unknown>>
}
