/**
 * Asks a person at the terminal to confirm. They type a random number that is shown on the screen, so that a prepared answer
 * (`yes | script -c 'agentm …'`) does not confirm.
 */
import { randomInt } from 'node:crypto'
import type { Terminal } from './terminal.ts'

export async function personSaysYes(terminal: Terminal, question: string): Promise<boolean> {
  const number = String(randomInt(1000, 10_000))
  return (await terminal.ask(`${question} To confirm, type ${number}: `)) === number
}
