// @ts-check
/** Disks that take names for one that differ in case, made in a file and mounted for a test. Needs root, and a kernel that knows them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * @typedef {object} Kind
 * @property {string} name
 * @property {string} packages what brings the programs it needs
 * @property {(image: string, at: string) => readonly (readonly [string, ...string[]])[]} commands make it in this file and mount it
 *   there; `LOOP` is the file as a device
 */

/** @type {readonly Kind[]} */
export const foldingDisks = [
  {
    name: 'ext4 with casefold',
    packages: 'e2fsprogs',
    commands: (image, at) => [
      ['mkfs.ext4', '-q', '-F', '-O', 'casefold', '-E', 'encoding=utf8', image],
      ['mount', '-o', 'loop', image, at],
      ['mkdir', path.join(at, 'folding')],
      ['chattr', '+F', path.join(at, 'folding')],
    ],
  },
  {
    name: 'vfat',
    packages: 'dosfstools',
    commands: (image, at) => [
      ['mkfs.vfat', image],
      ['mount', '-o', 'loop,utf8', image, at],
      ['mkdir', path.join(at, 'folding')],
    ],
  },
  {
    name: 'exFAT by FUSE',
    packages: 'exfatprogs exfat-fuse',
    commands: (image, at) => [
      ['mkfs.exfat', image],
      ['mount.exfat-fuse', 'LOOP', at],
      ['mkdir', path.join(at, 'folding')],
    ],
  },
]

/**
 * A directory on it, and how to take it away again; or why there is none.
 * @param {Kind} kind @returns {{ readonly directory: string, readonly unmount: () => void } | { readonly why: string }}
 */
export function mountedDisk({ name, packages, commands }) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { why: `${name}: only root on Linux mounts disks` }
  const home = mkdtempSync(path.join(tmpdir(), 'agentm-disk-'))
  const [image, at] = [path.join(home, 'image'), path.join(home, 'mounted')]
  mkdirSync(at)
  writeFileSync(image, '')
  truncateSync(image, 64 << 20)
  let loop = ''
  const unmount = () => {
    run('umount', at)
    if (loop !== '') run('losetup', '-d', loop)
    rmSync(home, { recursive: true, force: true })
  }
  for (const [program, ...args] of commands(image, at)) {
    if (args.includes('LOOP') && loop === '') loop = loopOf(image) ?? 'no free loop device'
    const failure = run(program, ...args.map((arg) => (arg === 'LOOP' ? loop : arg)))
    if (failure === undefined) continue
    unmount()
    return { why: `${name}: ${failure}${failure.includes('ENOENT') ? ` (apt-get install ${packages})` : ''}` }
  }
  return { directory: path.join(at, 'folding'), unmount }
}

/** @param {string} image @returns {string | undefined} */
function loopOf(image) {
  try {
    return execFileSync('losetup', ['-f', '--show', image], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

/** Why it failed, in its own words. @param {string} program @param {readonly string[]} args @returns {string | undefined} */
function run(program, ...args) {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    return undefined
  } catch (error) {
    const { stderr, message } = /** @type {Error & { stderr?: Buffer }} */ (error)
    const said = stderr?.toString('utf8').trim() ?? ''
    return (said === '' ? message : said).split('\n')[0]
  }
}
