import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { findChromium } from '../site/browser.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const built = path.join(root, 'tools/site/.built/site')

it('builds the site without a dead link, and every page and the searches work in a real browser', ({ skip }) => {
  if (!canInstall()) skip('the site generator is not installed, and the npm registry cannot be reached')
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/site/main.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(`${stdout}${stderr}`).toMatch(/[1-9]\d* links: 0 lead nowhere/)
  const inBrowser =
    findChromium() === undefined ? /there is no Chromium/ : /[1-9]\d* visits and [1-9]\d* searches in \S+: 0 faults/
  expect(`${stdout}${stderr}`).toMatch(inBrowser)
  expect({ status, stderr }).toMatchObject({ status: 0 })
  const llms = readFileSync(path.join(built, 'llms.txt'), 'utf8')
  expect(llms).toContain('reference/commands.md')
  expect(llms.indexOf('your-agent-remembers')).toBeLessThan(llms.indexOf('a-plan-that-survives'))
  expect(statSync(path.join(built, 'llms-full.txt')).size).toBeGreaterThan(100_000)
})

function canInstall(): boolean {
  if (existsSync(path.join(root, 'tools/site/node_modules/.installed-from'))) return true
  try {
    execFileSync('npm', ['ping', '--fetch-timeout=10000', '--fetch-retries=0'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
