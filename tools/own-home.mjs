// @ts-check
/** No test meets the real home directory: every worker, and every process one starts, inherits an empty one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export default function ownHome() {
  const home = mkdtempSync(path.join(tmpdir(), 'agentm-test-home-'))
  for (const name of ['AGENTM_HOME', 'AGENTM_INSTALL_PREFIX', 'AGENTM_DEVICE_LOCAL_ROOT', 'AGENTM_BACKEND_PLUGINS'])
    delete process.env[name]
  delete process.env['MEMORY_VAULT_PATH']
  process.env['HOME'] = home
  process.env['XDG_CACHE_HOME'] = path.join(home, '.cache')
  return () => rmSync(home, { recursive: true, force: true })
}
