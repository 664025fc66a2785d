/**
 * What the server answers at an address, kept fresh: asked again after every change that is made here, when the window is looked at again,
 * and now and then while it is. The last answer stays until the next one is there, so that nothing flickers.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from './api.ts'
import { setClock } from './clock.ts'
import { made } from './views/confirm.tsx'

export interface Fresh<T> {
  readonly answer: T | undefined
  /** Why there is no newer answer. */
  readonly error: Error | undefined
  /** The answer is that of another address, because the one of this address is still on its way. */
  readonly isOld: boolean
  readonly refresh: () => void
}

const everyMs = 15_000

interface Held<T> {
  readonly answer?: T
  readonly error?: Error
  readonly of?: string
}

/** Without an address, nothing is asked. */
export function useFresh<T extends object>(address: string | undefined): Fresh<T> {
  const [held, setHeld] = useState<Held<T>>({})
  const [asked, setAsked] = useState(0)
  const changes = made.value
  useEffect(() => {
    if (address === undefined) return undefined
    const end = new AbortController()
    const look = async () => {
      try {
        const answer = await ask<T>(address, end.signal)
        if ('now' in answer && typeof answer.now === 'number') setClock(answer.now)
        setHeld({ answer, of: address })
      } catch (error) {
        if (end.signal.aborted) return
        const why = error instanceof Error ? error : new Error(String(error))
        setHeld((before) => ({ ...(before.of === address && before), error: why, of: address }))
      }
    }
    void look()
    return () => end.abort()
  }, [address, asked, changes])
  const refresh = useRef(() => setAsked((count) => count + 1)).current
  useEffect(() => whileLookedAt(refresh), [refresh])
  return { answer: held.answer, error: held.error, isOld: held.of !== address, refresh }
}

/** Returns the way to stop. */
export function whileLookedAt(look: () => void): () => void {
  const lookNow = () => {
    if (document.visibilityState === 'visible') look()
  }
  const timer = setInterval(lookNow, everyMs)
  addEventListener('focus', lookNow)
  document.addEventListener('visibilitychange', lookNow)
  return () => {
    clearInterval(timer)
    removeEventListener('focus', lookNow)
    document.removeEventListener('visibilitychange', lookNow)
  }
}
