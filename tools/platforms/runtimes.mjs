// @ts-check
/** The runtimes besides the installed Node that the packages are tried on, fetched from the npm registry into a scratch directory. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { exec } from '../install/exec.mjs'

/** @typedef {{ readonly name: string, readonly command: readonly [string, ...string[]] }} Runtime */

// Their own packages fetch a binary when they are installed; these are the packages that hold one.
const pinned = [
  { name: 'Bun', spec: '@oven/bun-linux-x64@1.4.4', program: '@oven/bun-linux-x64/bin/bun', flags: [] },
  { name: 'Deno', spec: '@deno/linux-x64-glibc@2.9.6', program: '@deno/linux-x64-glibc/deno', flags: ['run', '-A'] },
]

/** @param {string} folder @returns {Promise<{ readonly found: readonly Runtime[], readonly absent?: string }>} */
export async function fetchRuntimes(folder) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { found: [], absent: `no pinned Bun and Deno for ${process.platform}-${process.arch}` }
  await mkdir(folder, { recursive: true })
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await exec('npm', ['install', '--prefix', folder, ...flags, ...pinned.map(({ spec }) => spec)], { cwd: folder })
  return {
    found: pinned.map(({ name, program, flags: own }) => ({
      name,
      command: [path.join(folder, 'node_modules', program), ...own],
    })),
  }
}
