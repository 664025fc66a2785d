/** What selection takes from its surroundings, in one argument, so that a test or another program can say what they are. */
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FilePath } from '@agentm/vault-lock'

export interface SelectionWorld {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: FilePath
  /** Directories whose `node_modules` hold the running program: where plugins are looked for besides the install prefix. */
  readonly installations: readonly FilePath[]
}

/** The surroundings of this process. */
export function processWorld(installations: readonly FilePath[] = []): SelectionWorld {
  return { env: process.env, home: homeDirectory(process.env.HOME), installations }
}

/**
 * The directories above a package whose `node_modules` hold that very package. The opened project is not among them
 * unless the program that runs was itself installed there.
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
  // Node answers a relative '' here, and Python the root.
  return (home === '' ? '/' : homedir()) as FilePath
}

function ancestors(directory: FilePath): FilePath[] {
  const above = dirname(directory) as FilePath
  return above === directory ? [] : [above, ...ancestors(above)]
}
