// @ts-check
/**
 * No test uses the real home directory: every worker, and every process it starts, inherits an empty one. In it, `agentm` is
 * installed, so that the commands which tests expect to be printed are the same on every machine.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export default function ownHome() {
  const home = mkdtempSync(path.join(tmpdir(), 'agentm-test-home-'))
  for (const name of ['AGENTM_HOME', 'AGENTM_INSTALL_PREFIX', 'AGENTM_DEVICE_LOCAL_ROOT', 'AGENTM_BACKEND_PLUGINS'])
    delete process.env[name]
  delete process.env['MEMORY_VAULT_PATH']
  process.env['HOME'] = home
  process.env['XDG_CACHE_HOME'] = path.join(home, '.cache')
  process.env['PATH'] = [installed(home), process.env['PATH'] ?? ''].join(path.delimiter)
  return () => rmSync(home, { recursive: true, force: true })
}

/** @param {string} home */
function installed(home) {
  const directory = path.join(home, 'bin')
  mkdirSync(directory)
  for (const name of ['agentm', 'agentm.cmd']) writeFileSync(path.join(directory, name), '', { mode: 0o755 })
  return directory
}
