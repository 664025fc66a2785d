/** What the server tells by itself: which plans have changed. After a lost connection everything counts as changed. */
import { signal } from '@preact/signals'
import type { News } from '../src/contract/frame.ts'

/** Whether changes arrive. */
export const isLive = signal(false)

type Listener = (plans: readonly string[] | 'all') => void
const listeners = new Set<Listener>()

/** Returns the way to stop. */
export function onNews(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function startLive(): void {
  const source = new EventSource('/api/events')
  let wasLost = false
  source.addEventListener('hello', () => {
    isLive.value = true
    if (wasLost) tell('all')
    wasLost = false
  })
  source.addEventListener('changed', (event: MessageEvent<string>) => tell((JSON.parse(event.data) as News).plans))
  source.addEventListener('error', () => {
    isLive.value = false
    wasLost = true
  })
}

function tell(plans: readonly string[] | 'all'): void {
  for (const listener of listeners) listener(plans)
}
