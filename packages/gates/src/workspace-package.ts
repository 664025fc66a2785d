/** The packages of a repository, as their manifests declare them. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastGlob from 'fast-glob'
import { z } from 'zod'
import type { GatesConfig } from './gates-config.ts'
import { GatesError } from './gates-error.ts'

const ranges = z.record(z.string(), z.string()).default({})
const manifest = z.looseObject({
  name: z.string().default(''),
  dependencies: ranges,
  peerDependencies: ranges,
  optionalDependencies: ranges,
  devDependencies: ranges,
  imports: z.record(z.string(), z.unknown()).default({}),
  exports: z.unknown().optional(),
  main: z.string().optional(),
  workspaces: z.union([z.array(z.string()), z.looseObject({ packages: z.array(z.string()) })]).optional(),
  nx: z.looseObject({ tags: z.array(z.string()).default([]) }).optional(),
})

export type Manifest = z.output<typeof manifest>

export interface WorkspacePackage {
  readonly name: string
  /** The last segment of its folder: its name in the arrow table and in configuration. */
  readonly folder: string
  /** Absolute. */
  readonly root: string
  /** Its package.json, relative to the repository. */
  readonly manifestFile: string
  readonly manifestText: string
  readonly manifest: Manifest
}

export async function findPackages(root: string, config: GatesConfig): Promise<readonly WorkspacePackage[]> {
  const top = await readManifest(root, '.')
  const globs = config.packages ?? workspacesOf(top.manifest) ?? ['.']
  const folders = await fastGlob(
    globs.map((glob) => path.posix.join(glob, 'package.json')),
    { cwd: root, ignore: ['**/node_modules/**'] },
  )
  if (folders.length === 0)
    throw new GatesError('UNREADABLE', `${root} has no package matching ${globs.join(', ')}; nothing was checked.`)
  return Promise.all(folders.toSorted().map((file) => readManifest(root, path.posix.dirname(file))))
}

/** A folder of the repository as a package. */
export async function readManifest(root: string, folder: string): Promise<WorkspacePackage> {
  const absolute = path.join(root, folder)
  const manifestFile = path.posix.join(folder, 'package.json')
  const manifestText = await readFile(path.join(root, manifestFile), 'utf8').catch((error: unknown) => {
    throw new GatesError('UNREADABLE', `${path.join(root, manifestFile)} cannot be read: ${String(error)}`, {
      cause: error,
    })
  })
  const parsed = manifest.safeParse(parseJson(manifestText))
  if (!parsed.success)
    throw new GatesError('UNREADABLE', `${manifestFile} is no package manifest:\n${z.prettifyError(parsed.error)}`)
  const { name } = parsed.data
  return { name, folder: path.basename(absolute), root: absolute, manifestFile, manifestText, manifest: parsed.data }
}

/** `@a/b/c` → `@a/b`; `a/b` → `a`. */
export function packageNameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function workspacesOf(top: Manifest): readonly string[] | undefined {
  return Array.isArray(top.workspaces) ? top.workspaces : top.workspaces?.packages
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
