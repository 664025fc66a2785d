// @ts-check
/**
 * The tests that hold on Windows (vitest.windows.config.ts), on Windows' own Node under Wine. Where there is no Wine, it says so in
 * one line and runs nothing.
 */
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { exec } from './install/exec.mjs'
import { openWine, windowsPath } from './platforms/wine.mjs'
import { root } from './run.mjs'
import { printTally } from './tally.mjs'

const scratch = await realpath(await mkdtemp(path.join(os.tmpdir(), 'agentm-windows-')))
try {
  const wine = await openWine(scratch)
  if ('absent' in wine) await skip(wine.absent)
  else
    try {
      process.exitCode = await runTests(wine)
    } finally {
      await wine.close()
    }
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

/** @param {import('./platforms/wine.mjs').Wine} wine */
async function runTests(wine) {
  const wanted = process.env['AGENTM_TALLY']
  const tally = path.join(scratch, 'tally.json')
  const { code, printed } = await wine.node(
    [windowsPath(path.join(root, 'node_modules/vitest/vitest.mjs')), 'run', '--config', 'vitest.windows.config.ts'],
    {
      cwd: root,
      env: {
        NODE_PATH: windowsPath(await nativeParts()),
        NODE_OPTIONS: `--require=${windowsPath(path.join(root, 'tools/platforms/wine-sockets.cjs'))}`,
        NO_COLOR: '1',
        // Told where the counts go, the runner leaves it to others to say what was skipped.
        ...(wanted === undefined ? {} : { AGENTM_TALLY: windowsPath(tally) }),
      },
    },
  )
  console.log(`${wine.version}, Node for Windows\n${printed.trimEnd()}`)
  if (wanted !== undefined && existsSync(tally)) await copyFile(tally, wanted)
  return code
}

/** What the test runner has compiled for each system; `npm ci` here has installed it for this one. */
async function nativeParts() {
  const specs = ['rolldown:@rolldown/binding-win32-x64-msvc', 'lightningcss:lightningcss-win32-x64-msvc'].map(
    (pair) => {
      const [of = '', part] = pair.split(':')
      const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules', of, 'package.json'), 'utf8'))
      return `${part}@${version}`
    },
  )
  const folder = path.join(scratch, 'parts')
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--force']
  await exec('npm', ['install', '--prefix', folder, ...flags, ...specs], { cwd: scratch })
  return path.join(folder, 'node_modules')
}

/** @param {string} why */
async function skip(why) {
  const tally = { passed: 0, failed: 0, skipped: [{ what: 'the tests on Windows', why }] }
  if (process.env['AGENTM_TALLY']) await writeFile(process.env['AGENTM_TALLY'], JSON.stringify(tally))
  console.log(`skipped: ${why}`)
  printTally(tally)
}
