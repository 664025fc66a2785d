// @ts-check
// A store that is no store: every process has one of its own, and its feed ends before it begins.
import { createInMemoryStore, sampleConcepts } from '@agentm/conformance/logs'

export async function openConformanceStore() {
  const store = createInMemoryStore({ concepts: sampleConcepts })
  return { ...store, log: { ...store.log, feed: nothing } }
}

async function* nothing() {}
