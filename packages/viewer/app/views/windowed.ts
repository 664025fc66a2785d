/** Which rows of a long list are on the screen, so that only those are drawn. All rows have one height. */
import { useLayoutEffect, useState } from 'preact/hooks'
import type { RefObject } from 'preact'

export interface WindowOfRows {
  readonly first: number
  readonly last: number
}

/** Rows beyond the edge that are drawn too, so that scrolling shows no gap. */
const beyond = 12

export function useWindowOfRows(
  list: RefObject<HTMLElement>,
  { count, height }: { readonly count: number; readonly height: number },
): WindowOfRows {
  const [shown, setShown] = useState<WindowOfRows>({ first: 0, last: 48 })
  useLayoutEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      const top = list.current?.getBoundingClientRect().top ?? 0
      const first = Math.max(0, Math.floor(-top / height) - beyond)
      const last = Math.min(count, Math.ceil((innerHeight - top) / height) + beyond)
      setShown((before) =>
        before.first === first && before.last === last ? before : { first, last: Math.max(first, last) },
      )
    }
    const later = () => {
      frame ||= requestAnimationFrame(look)
    }
    // In the next frame: measuring now would lay out the page twice.
    later()
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
    }
  }, [count, height])
  return { first: Math.min(shown.first, count), last: Math.min(shown.last, count) }
}

/** Whether the screen is as narrow as a telephone. */
export function useIsNarrow(): boolean {
  const narrow = matchMedia('(max-width: 720px)')
  const [isNarrow, set] = useState(narrow.matches)
  useLayoutEffect(() => {
    const follow = ({ matches }: MediaQueryListEvent) => set(matches)
    narrow.addEventListener('change', follow)
    return () => narrow.removeEventListener('change', follow)
  }, [])
  return isNarrow
}
