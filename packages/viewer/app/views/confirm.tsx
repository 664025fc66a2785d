/** Asks once before something changes, in one dialog for the whole page. */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Change } from '../../src/contract.ts'
import { send } from '../api.ts'
import { tellPerson } from '../notices.ts'
import { go, planAddress, view } from '../router.ts'

export interface Question {
  readonly title: string
  readonly text: string
  readonly yes: string
  readonly isDangerous?: boolean
  readonly change: Change
}

const asked = signal<Question | undefined>(undefined)

export function confirmChange(question: Question): void {
  asked.value = question
}

export async function makeChange(change: Change): Promise<void> {
  try {
    const { message, planId } = await send(change)
    tellPerson(message)
    const shown = view.peek()
    if (planId !== undefined && shown.shows === 'plan' && shown.id !== planId) go(planAddress(planId))
  } catch (error) {
    tellPerson(error instanceof Error ? error.message : String(error), true)
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
    if (question !== undefined) void makeChange(why === '' ? question.change : { ...question.change, reason: why })
  }
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby="confirm-title" onClose={close}>
      {question && (
        <form onSubmit={accept}>
          <h2 id="confirm-title">{question.title}</h2>
          <p>{question.text}</p>
          <label>
            Why? <span class="quiet">Optional; kept in the log.</span>
            <input ref={reason} type="text" maxLength={2_000} autocomplete="off" />
          </label>
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
