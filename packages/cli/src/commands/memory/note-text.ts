import type { Call } from '../../command.ts'

/** The text of a note: the arguments as one line, or standard input where there is none or it is `-`. */
export async function noteText({ args, terminal }: Call): Promise<string> {
  return args.length === 0 || (args.length === 1 && args[0] === '-') ? terminal.readInput() : args.join(' ')
}
