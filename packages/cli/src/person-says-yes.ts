/**
 * Whether a person at the terminal means it. They type a number that was just drawn and is on the screen, so that an answer
 * written down beforehand (`yes | script -c 'agentm …'`) is none.
 */
import { randomInt } from 'node:crypto'
import type { Terminal } from './terminal.ts'

export async function personSaysYes(terminal: Terminal, question: string): Promise<boolean> {
  const number = String(randomInt(1000, 10_000))
  return (await terminal.ask(`${question} If so, type ${number}: `)) === number
}
