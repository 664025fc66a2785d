/**
 * Reads the address of `origin` from the repository's configuration without starting git, because starting a program takes longer
 * than all other work here. It answers only if the configuration is plain and nothing else can change it. In any other case it
 * returns nothing, and git is asked.
 */
import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

export async function plainOrigin(root: string, env: Env): Promise<string | undefined> {
  // On other systems, git's system configuration can be anywhere.
  if (process.platform !== 'linux' || Object.keys(env).some((name) => /^GIT_(?:CONFIG|CEILING|DISCOVERY)/.test(name)))
    return undefined
  const directory = await gitDirectory(root)
  if (directory === undefined) return undefined
  const [own, ...others] = await Promise.all([path.join(directory, 'config'), ...sharedConfigs(env)].map(textOf))
  return own === undefined || others.some((text) => redirects.test(text ?? '')) ? undefined : originIn(own)
}

/** The directory with the configuration, if the user owns it. Git trusts no other. */
async function gitDirectory(root: string): Promise<string | undefined> {
  for (let at = root; ; at = path.dirname(at)) {
    const found = await stat(path.join(at, '.git')).catch(() => undefined)
    if (found?.isDirectory() === true)
      return found.uid === process.getuid?.() && (await stat(at)).uid === found.uid ? path.join(at, '.git') : undefined
    // A worktree or a submodule has its configuration elsewhere.
    if (found !== undefined || at === path.dirname(at)) return undefined
  }
}

/** Whether git would report no repository: no directory from here upwards looks like one. */
export async function isOutsideRepositories(root: string): Promise<boolean> {
  const real = await realpath(root).catch(() => undefined)
  if (real === undefined) return false
  const places = [real]
  for (let at = real; at !== path.dirname(at); at = path.dirname(at)) places.push(path.dirname(at))
  // A repository has a HEAD. Where `.git` is a file, the error is another one. An empty `.git` is none: sandboxes leave such in /tmp.
  const signs = places.flatMap((place) => [path.join(place, '.git', 'HEAD'), path.join(place, 'HEAD')])
  return (await Promise.all(signs.map(isAbsent))).every(Boolean)
}

async function isAbsent(place: string): Promise<boolean> {
  return lstat(place).then(
    () => false,
    (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT',
  )
}

function sharedConfigs(env: Env): readonly string[] {
  const home = env['HOME'] ?? '/'
  return [
    '/etc/gitconfig',
    path.join(home, '.gitconfig'),
    path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), 'git', 'config'),
  ]
}

const redirects = /\[\s*(?:include|remote)|insteadof/i
const unusual = /\[\s*include|insteadof|worktreeconfig|\[\s*remote\./i

export function originIn(config: string): string | undefined {
  if (unusual.test(config)) return undefined
  let isOrigin = false
  for (const line of config.split(/\r?\n/)) {
    if (/^\s*\[/.test(line)) isOrigin = /^\s*\[remote "origin"\]\s*$/.test(line)
    // Values with quotes, escapes or comments need git's own parser.
    const [, url] = (isOrigin && /^\s*url\s*=\s*([^\s"\\#;]+)\s*$/.exec(line)) || []
    if (url !== undefined) return url
    if (isOrigin && /^\s*url\b/i.test(line)) return undefined
  }
  return undefined
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return '[include]'
  }
}
