import { spawnSync } from 'node:child_process'
import { type BackendPlugin, BackendRegistry, ProtocolError, registry, seamMajor } from '@agentm/storage-seam'
import { describe, expect, it } from 'vitest'

const plugin = (protocol: string): BackendPlugin => ({
  protocol,
  seam: seamMajor,
  settingsKey: `plugins.${protocol}`,
  open: () => Promise.reject(new Error('not opened here')),
})

describe('BackendRegistry', () => {
  it('answers a miss with undefined and knows its names in order', () => {
    const names = new BackendRegistry()
    names.register(plugin('b'))
    names.register(plugin('a'))
    expect(names.get('c')).toBeUndefined()
    expect(names.has('a')).toBe(true)
    expect(names.protocols()).toEqual(['a', 'b'])
  })

  it('refuses an empty name and a second backend of one name', () => {
    const names = new BackendRegistry()
    names.register(plugin('a'))
    expect(() => names.register(plugin(' '))).toThrow(ProtocolError)
    expect(() => names.register(plugin('a'))).toThrow('"a" is registered already')
  })

  it('replaces a backend only when told to', () => {
    const names = new BackendRegistry()
    const second = plugin('a')
    names.register(plugin('a'))
    names.register(second, { clobber: true })
    expect(names.get('a')).toBe(second)
  })

  it('takes the same plugin twice, so that two importers of one package do not clash', () => {
    const names = new BackendRegistry()
    const one = plugin('a')
    names.register(one)
    expect(() => names.register(one)).not.toThrow()
  })

  it.each([[undefined], [{}], [Map], [{ ...plugin('a'), open: undefined }]])(
    'refuses %o, which is no plugin, by its shape',
    (thing) => {
      expect(() => new BackendRegistry().register(thing as unknown as BackendPlugin)).toThrow(TypeError)
    },
  )

  it('keeps registries apart', () => {
    const names = new BackendRegistry()
    names.register(plugin('a'))
    expect(new BackendRegistry().has('a')).toBe(false)
  })

  it('has one default per process, found by every copy of the package', () => {
    expect((globalThis as Record<symbol, unknown>)[Symbol.for('@agentm/storage-seam/registry/1')]).toBe(registry)
  })

  it('ships that default empty', () => {
    const script = `import { registry } from '@agentm/storage-seam'; process.stdout.write(registry.protocols().join() + '.')`
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname })
    expect(String(ran.stdout)).toBe('.')
  })
})
