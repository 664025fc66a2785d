/** The surroundings of selection in one argument, so that a test or another program can set them. */
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FilePath } from '@agentm/vault-lock'
import { configFile } from './config-file.ts'
import { readTextFile, type TextFile } from './text-file.ts'

/** The surroundings of selection: environment, home directory, installations. Tests pass their own. */
export interface SelectionWorld {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Directories whose `node_modules` contain the running program. Plugins are searched there, too. */
  readonly installations: readonly string[]
  /** Settings of the program itself. They override the file. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The text of the install config, for a program that reads it once (default: the file is read each time). */
  readonly configText?: () => Promise<TextFile>
}

/**
 * The surroundings of this process.
 *
 * @example
 * ```ts
 * import { processWorld, selectBackend } from '@agentm/selection'
 *
 * const backend = await selectBackend({ world: processWorld() })
 * ```
 */
export function processWorld(installations: readonly string[] = []): SelectionWorld {
  return { env: process.env, home: homeDirectory(process.env.HOME), installations }
}

/** The same surroundings with a config that is read once, when it is first needed. */
export function readingConfigOnce(world: SelectionWorld): SelectionWorld {
  let text: Promise<TextFile> | undefined
  return { ...world, configText: async () => (text ??= readTextFile(configFile(world))) }
}

/**
 * The directories above a package whose `node_modules` contain that package. The opened project is among them only if the running
 * program is installed there.
 *
 * @example
 * ```ts
 * import { installationsOf } from '@agentm/selection'
 * import { filePath } from '@agentm/vault-lock'
 *
 * const found = await installationsOf(filePath('/opt/app/node_modules/my-agent'), 'my-agent')
 * ```
 */
export async function installationsOf(packageDirectory: FilePath, name: string): Promise<FilePath[]> {
  const self = await realpath(packageDirectory)
  const above = [...ancestors(packageDirectory), ...ancestors(self as FilePath)]
  const holds = await Promise.all(
    above.map(async (directory) => {
      return (await realpath(join(directory, 'node_modules', name)).catch(() => undefined)) === self
    }),
  )
  return [...new Set(above.filter((_, i) => holds[i]))]
}

function homeDirectory(home: string | undefined): FilePath {
  // For an empty HOME, Node returns a relative '' and Python the root.
  return (home === '' ? '/' : homedir()) as FilePath
}

function ancestors(directory: FilePath): FilePath[] {
  const above = dirname(directory) as FilePath
  return above === directory ? [] : [above, ...ancestors(above)]
}
