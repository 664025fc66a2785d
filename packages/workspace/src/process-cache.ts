import type { KeyedStore } from '@agentm/memory'

/** Keeps texts until the process ends, such as vectors that only serve a measurement. */
export function processCache(): KeyedStore {
  const texts = new Map<string, string>()
  return {
    read: async (key) => texts.get(key),
    write: async (key, text) => void texts.set(key, text),
    remove: async (key) => void texts.delete(key),
  }
}
