/**
 * Directories that a tree needs and git does not have, such as node_modules: a link to the user's, if both have the same package files.
 * Programs then find what is installed, and nothing is installed twice.
 */
import { lstat, mkdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { git, parts } from './git.ts'
import type { Repository } from './repository.ts'

/** The names of directories to link; none for no links. */
export type Linking = readonly string[]

/** What says which packages are installed. */
const packageFiles = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'requirements.txt',
  'pyproject.toml',
  'uv.lock',
  'composer.lock',
  'Gemfile.lock',
]

export async function linkIgnored(
  { top, kind }: Repository,
  { directory, linking }: { readonly directory: string; readonly linking: Linking },
): Promise<readonly string[]> {
  if (linking.length === 0) return []
  const links: string[] = []
  for (const place of kind === 'git' ? await ignoredIn(top) : linking) {
    if (!linking.includes(path.basename(place))) continue
    const [from, to] = [path.join(top, place), path.join(directory, place)]
    if (
      !(await lstat(from).catch(() => undefined))?.isDirectory() ||
      (await lstat(to).catch(() => undefined)) !== undefined
    )
      continue
    if (!(await haveSamePackages(path.dirname(from), path.dirname(to)))) continue
    await mkdir(path.dirname(to), { recursive: true })
    await symlink(from, to, 'junction')
    links.push(place)
  }
  return links
}

/** Ignored directories, without what is inside them. */
async function ignoredIn(top: string): Promise<readonly string[]> {
  const asked = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
  return parts((await git(asked, { at: top })).out).flatMap((name) => (name.endsWith('/') ? [name.slice(0, -1)] : []))
}

async function haveSamePackages(one: string, other: string): Promise<boolean> {
  for (const name of packageFiles) {
    const [a, b] = await Promise.all(
      [one, other].map((directory) => readFile(path.join(directory, name), 'utf8').catch(() => undefined)),
    )
    if (a !== b) return false
  }
  return true
}
