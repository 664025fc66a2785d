import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linksIn } from '../../src/notes/pure/links-in.ts'

describe('linksIn', () => {
  it.each([
    ['run by [[Falcon]]', ['falcon']],
    ['[[teams/Falcon|the team]] and [[Heron#Phone]]', ['falcon', 'heron']],
    ['![[Falcon^part]] twice [[falcon]]', ['falcon']],
    ['[team](../teams/Falcon.md), [part](./heron.md#phone)', ['falcon', 'heron']],
    ['[team](<Team%20Falcon.md>)', ['team falcon']],
    ['[[Jalapeño.md]]', ['jalapeño']],
    ['[site](https://example.org/readme.md) and [pdf](a.pdf)', []],
    ['[broken](50%.md)', ['50%']],
    ['an [ordinary] array[0][1] and [[ ]]', []],
  ])('%j: %j', (text, names) => {
    expect(linksIn(text)).toEqual(names)
  })

  it('reads a name that ends with spaces', () => {
    expect(linksIn('[[ berths .md]]')).toEqual(['berths'])
  })

  it('reads any text', () => {
    const part = fc.constantFrom('[[', ']]', '[', '](', ')', '.md', '|', '#', '%', 'a', ' ', '\n')
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        for (const name of linksIn(parts.join(''))) expect(name.trim()).toBe(name)
      }),
    )
  })
})
