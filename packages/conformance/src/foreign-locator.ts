/**
 * A locator from another copy of the seam: the same brand and properties, another class. That copy may be another version, so its key may
 * not be normalised.
 */
import { Locator } from '@agentm/storage-seam'

export function foreignLocator(key: string): Locator {
  const prototype: object = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(Locator.prototype))
  const made: object = Object.create(prototype, {
    key: { value: key, enumerable: true },
    [Symbol.for('@agentm/storage-seam/locator')]: { value: true },
  })
  return Object.freeze(made) as Locator
}
