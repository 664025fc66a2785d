import { findStoreId, parseStoreMarker, type StorageBackend, storeMarkerKey } from '@agentm/storage-seam'
import { expect, it } from 'vitest'

it.each(['{"id": "a"}', ' {"id":"a","made":"2026"}\n'])('finds the id in %j', (text) => {
  expect(parseStoreMarker(text)).toBe('a')
})

it.each(['', '{"id": "a', 'null', '[]', '"a"', '{}', '{"id": ""}', '{"id": 7}'])('says that %j is corrupt', (text) => {
  expect(() => parseStoreMarker(text)).toThrow(`${storeMarkerKey} is corrupt`)
})

it('takes an absent marker for a store without an id, and lets every other fault through', async () => {
  expect(await findStoreId(failing('NOT_FOUND'))).toBeUndefined()
  await expect(findStoreId(failing('CORRUPT_TEXT'))).rejects.toMatchObject({ code: 'STORE_MARKER_CORRUPT' })
  await expect(findStoreId(failing('STORE_UNAVAILABLE'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
})

function failing(code: string): StorageBackend {
  return {
    resolve: (key: string) => ({ key }),
    read: async () => Promise.reject(Object.assign(new Error('fault'), { code })),
  } as unknown as StorageBackend
}
