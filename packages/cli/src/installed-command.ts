/** The `agentm` that a person can type here, if one is installed. */
import { accessSync, constants } from 'node:fs'
import path from 'node:path'

export interface SearchedPath {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

/** Its file on the PATH. Directories that npx and npm scripts add do not count: they are gone when this process ends. */
export function installedCommand({ env, platform }: SearchedPath): string | undefined {
  const name = platform === 'win32' ? 'agentm.cmd' : 'agentm'
  return (env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((directory) => path.isAbsolute(directory) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(directory))
    .map((directory) => path.join(directory, name))
    .find((file) => isExecutable(file))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
