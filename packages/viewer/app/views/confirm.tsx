/** Asks once before something changes, in one dialog for the whole page. */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { send } from '../api.ts'
import { tellPerson } from '../notices.ts'
import { go } from '../router.ts'

export interface Question {
  readonly title: string
  readonly text: string
  readonly yes: string
  readonly isDangerous?: boolean
  /** The log keeps no reason of this change, so none is asked for. */
  readonly hasNoReason?: boolean
  /** The part of the page whose change it is, such as `plans`. */
  readonly room: string
  readonly change: object
}

const asked = signal<Question | undefined>(undefined)

/** How many changes were made here. Views that show what was changed ask again. */
export const made = signal(0)

export function confirmChange(question: Question): void {
  asked.value = question
}

/** Tells the person what became of it, and shows what was made by it. False if it was refused. */
export async function makeChange(room: string, change: object): Promise<boolean> {
  try {
    const { message, next } = await send(room, change)
    made.value++
    tellPerson(message)
    if (next !== undefined && next !== location.pathname && !location.pathname.startsWith(`${next}/`)) go(next)
    return true
  } catch (error) {
    tellPerson(error instanceof Error ? error.message : String(error), true)
    return false
  }
}

export function ConfirmDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const reason = useRef<HTMLInputElement>(null)
  const question = asked.value
  useEffect(() => {
    if (question !== undefined) dialog.current?.showModal()
  }, [question])
  const close = () => {
    asked.value = undefined
    dialog.current?.close()
  }
  const accept = (event: Event) => {
    event.preventDefault()
    const why = reason.current?.value.trim() ?? ''
    close()
    if (question !== undefined)
      void makeChange(question.room, why === '' ? question.change : { ...question.change, reason: why })
  }
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby="confirm-title" onClose={close}>
      {question && (
        <form onSubmit={accept}>
          <h2 id="confirm-title">{question.title}</h2>
          <p>{question.text}</p>
          {question.hasNoReason !== true && (
            <label>
              Why? <span class="quiet">Optional; kept in the log.</span>
              <input ref={reason} type="text" maxLength={2_000} autocomplete="off" />
            </label>
          )}
          <div class="buttons">
            <button type="button" class="button" onClick={close}>
              Keep it as it is
            </button>
            <button type="submit" class={question.isDangerous === true ? 'button is-danger' : 'button is-main'}>
              {question.yes}
            </button>
          </div>
        </form>
      )}
    </dialog>
  )
}
