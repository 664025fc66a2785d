import { InvalidLocatorError, isLocator, Locator, normalizeKey } from '@agentm/storage-seam'
import { describe, expect, it } from 'vitest'

describe('normalizeKey', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['//', ''],
    ['.', ''],
    ['/a', 'a'],
    ['///a', 'a'],
    ['a/', 'a'],
    ['./a', 'a'],
    ['a//b', 'a/b'],
    ['a/./b', 'a/b'],
    ['...', '...'],
    ['..a', '..a'],
    ['a..', 'a..'],
    [' ', ' '],
    ['.. ', '.. '],
    ['\t..', '\t..'],
    ['C:/x', 'C:/x'],
    ['~', '~'],
    ['%2e%2e/a', '%2e%2e/a'],
    ['a\nb', 'a\nb'],
    ['é', 'é'],
  ])('keeps one spelling of %j', (key, normal) => {
    expect(normalizeKey(key)).toBe(normal)
  })

  it.each([['..'], ['../a'], ['a/..'], ['a/../b'], ['a\\b'], ['..\\..\\x'], ['a\0b'], ['a\uD800']])(
    'refuses %j',
    (key) => {
      expect(() => normalizeKey(key)).toThrow(InvalidLocatorError)
    },
  )
})

describe('Locator', () => {
  it('is frozen and cannot be given a path', () => {
    expect(Object.isFrozen(new Locator('a'))).toBe(true)
  })

  it('derives a place below, never above', () => {
    expect(new Locator('a').child('/b', 'c').key).toBe('a/b/c')
    expect(() => new Locator('a').child('..')).toThrow(InvalidLocatorError)
  })

  it('answers its parts and name', () => {
    expect(new Locator('a/b').parts).toEqual(['a', 'b'])
    expect(new Locator('a/b').name).toBe('b')
    expect(new Locator('').parts).toEqual([])
    expect(new Locator('').name).toBe('')
  })

  it('has a parent, and the root is its own', () => {
    expect(new Locator('a/b').parent.key).toBe('a')
    expect(new Locator('a').parent.key).toBe('')
    expect(new Locator('').parent.key).toBe('')
  })

  it('is recognised by brand, also from another copy of the package', () => {
    const foreign = { key: 'a', [Symbol.for('@agentm/storage-seam/locator')]: true }
    expect(isLocator(foreign)).toBe(true)
    expect(new Locator('a').equals(foreign)).toBe(true)
    expect(isLocator({ key: 'a' })).toBe(false)
  })
})
