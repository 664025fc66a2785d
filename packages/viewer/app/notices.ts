/** One line that says what became of an action; screen readers read it out. */
import { signal } from '@preact/signals'

export interface Notice {
  readonly text: string
  readonly isError: boolean
}

export const notice = signal<Notice | undefined>(undefined)
let timer: ReturnType<typeof setTimeout> | undefined

export function tellPerson(text: string, isError = false): void {
  notice.value = { text, isError }
  clearTimeout(timer)
  timer = setTimeout(
    () => {
      notice.value = undefined
    },
    isError ? 12_000 : 6_000,
  )
}
