/** The time by the clock of the log, so that "2 min ago" is right even if this machine's clock is not. Ticks once a second while it is watched. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

let offset = 0
const ticking = signal(Date.now())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

export function setClock(serverNow: number): void {
  offset = serverNow - Date.now()
  ticking.value = now()
}

export const now = (): number => Date.now() + offset

/** The component that calls it is drawn again every second, if `isMoving`. */
export function useNow(isMoving = true): number {
  useEffect(() => {
    if (!isMoving) return undefined
    watchers++
    timer ??= setInterval(() => {
      ticking.value = now()
    }, 1_000)
    return () => {
      if (--watchers > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [isMoving])
  return isMoving ? ticking.value : now()
}
