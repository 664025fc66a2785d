/**
 * The command in few files, as the build made it from the packages beside this one: what is spread over two hundred files
 * takes longer to load than to run. Only while it says what they say: nothing was compiled since, or, where it was
 * installed, all versions are those it was made from. Otherwise the command is loaded file by file.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** By package, named by its folder. */
type Facts = Readonly<Record<string, string>>

/** `packages` is the folder in which all of them stand side by side. */
export function isBundleCurrent(packages: string): boolean {
  const folder = path.join(packages, 'cli', 'dist', 'bundle')
  const manifest = readIfThere(path.join(folder, 'manifest.json')) as { readonly versions: Facts } | undefined
  if (manifest === undefined) return false
  // Not published: a time says nothing about a file that was unpacked.
  const compiled = readIfThere(path.join(folder, 'compiled.json')) as Facts | undefined
  return Object.entries(manifest.versions).every(([name, version]) => {
    const at = path.join(packages, name)
    return !holdsOthers(at) && (compiled === undefined ? versionOf(at) === version : compiledAt(at) === compiled[name])
  })
}

/** Whether a package has copies of its own of what stands beside it. */
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

/** As it was written by the build, or by npm. */
function readIfThere(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    // Whatever is wrong with it, the command is there without it.
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}
