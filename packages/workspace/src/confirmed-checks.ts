/**
 * The checks that a person chose for one directory. They are kept on this device and never in a plan, because whoever can write a
 * row of the log must not thereby run a program here.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CheckCommand } from '@agentm/harness/control'
import type { KeyedStore } from '@agentm/memory'

/** What must pass before a goal is reached in this directory. */
export interface ChosenCheck {
  readonly commands: readonly CheckCommand[]
  /** Patterns of files that must stay as they are. */
  readonly protect: readonly string[]
}

export interface ConfirmedChecks {
  /** `undefined`: nobody was asked yet. `none`: a person wants no check. */
  chosen(): Promise<ChosenCheck | 'none' | undefined>
  choose(choice: ChosenCheck | 'none'): Promise<void>
  /** Whether a person has chosen this program for this directory, now or before. */
  isConfirmed(command: CheckCommand): Promise<boolean>
}

/** Only this file writes it. */
interface Kept {
  readonly chosen: ChosenCheck | 'none'
  /** Every program that was ever chosen: an earlier plan may still need it. */
  readonly confirmed: readonly CheckCommand[]
}

export function confirmedChecks(state: KeyedStore, directory: string): ConfirmedChecks {
  const key = `checks of ${directory}`
  const read = async () => {
    const text = await state.read(key)
    return text === undefined ? undefined : (JSON.parse(text) as Kept)
  }
  return {
    chosen: async () => (await read())?.chosen,
    async choose(choice) {
      const known = (await read())?.confirmed ?? []
      const more = choice === 'none' ? [] : choice.commands.filter((command) => !holds(known, command))
      await state.write(key, JSON.stringify({ chosen: choice, confirmed: [...known, ...more] } satisfies Kept))
    },
    isConfirmed: async (command) => holds((await read())?.confirmed ?? [], command),
  }
}

function holds(known: readonly CheckCommand[], { command, args }: CheckCommand): boolean {
  return known.some((other) => other.command === command && isDeepStrictEqual(other.args, args))
}
