import { join } from 'node:path'
import { type BackendPlugin, seamMajor } from '@agentm/storage-seam'
import { describe, expect, it } from 'vitest'
import { placedRoot, placedSettings } from '../src/placed-settings.ts'

describe('placedSettings', () => {
  it('puts an unset root into the directory, and the directory where a text asks for it', () => {
    const placed = placedSettings(
      plugin(['vault', 'memory']),
      { memory: 'Agent', cache: '{directory}/cache', n: 1 },
      '/d',
    )
    expect(placed).toEqual({ vault: '/d', memory: 'Agent', cache: '/d/cache', n: 1 })
    expect(placedRoot(plugin(['vault', 'memory']), placed)).toBe(join('/d', 'Agent'))
  })

  it('refuses a root that is named outright, and takes one below the directory', () => {
    expect(() => placedSettings(plugin('root'), { root: '/home/me/vault' }, '/d')).toThrow(/name root outright/)
    expect(placedSettings(plugin('root'), { root: '{directory}/deep' }, '/d')).toEqual({ root: '/d/deep' })
  })

  it('leaves a plugin without a directory alone', () => {
    expect(placedSettings(plugin(), { url: 'x' }, '/d')).toEqual({ url: 'x' })
    expect(placedRoot(plugin(), { url: 'x' })).toBeUndefined()
  })
})

function plugin(rootSetting?: string | readonly string[]): BackendPlugin {
  const rest = { protocol: 'p', seam: seamMajor, settingsKey: 'plugins.p', open: neverOpened }
  return rootSetting === undefined ? rest : { ...rest, rootSetting }
}

async function neverOpened(): Promise<never> {
  throw new TypeError('opened, where only settings were wanted')
}
