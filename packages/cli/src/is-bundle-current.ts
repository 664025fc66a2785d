/**
 * Whether the bundle may be used: the command in few files, because two hundred files take longer to load than to run. The bundle is
 * current if nothing was compiled since it was built or, in an installation, if all packages have the versions it was built from.
 * Otherwise the command is loaded file by file.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** By package, named by its folder. */
type Facts = Readonly<Record<string, string>>

/** `packages` is the folder in which all of them stand side by side. */
export function isBundleCurrent(packages: string): boolean {
  // The bundle consists of CommonJS files. Node 22.0 to 22.11 cannot load our ES modules from one.
  if (!process.features.require_module) return false
  const folder = path.join(packages, 'cli', 'dist', 'bundle')
  const manifest = readIfThere(path.join(folder, 'manifest.json')) as { readonly versions: Facts } | undefined
  if (manifest === undefined) return false
  // Not published, because the times of unpacked files mean nothing.
  const compiled = readIfThere(path.join(folder, 'compiled.json')) as Facts | undefined
  return Object.entries(manifest.versions).every(([name, version]) => {
    const at = path.join(packages, name)
    return !holdsOthers(at) && (compiled === undefined ? versionOf(at) === version : compiledAt(at) === compiled[name])
  })
}

/** Whether a package has its own copies of our packages. */
function holdsOthers(at: string): boolean {
  return existsSync(path.join(at, 'node_modules/@agentm'))
}

/** Changes whenever the compiler writes anything of a package. */
export function compiledAt(at: string): string | undefined {
  const found = statSync(path.join(at, 'dist', '.tsbuildinfo'), { throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.size} ${found.mtimeMs}`
}

function versionOf(at: string): string | undefined {
  const found = readIfThere(path.join(at, 'package.json')) as { readonly version: string } | undefined
  return found?.version
}

/** Parsed JSON that the build or npm wrote. */
function readIfThere(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    // The command also works without the bundle.
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}
