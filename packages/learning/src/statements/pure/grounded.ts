/** What a statement names that none of the texts behind it does: a number, a date or a name that was made up. */
import { type Reading, readStatement } from './statement-difference.ts'

export function ungroundedIn(statement: string, texts: readonly string[]): string | undefined {
  const said = texts.map(readStatement)
  const isSaid = (word: string) => said.some(({ words }) => words.has(word))
  return named(readStatement(statement)).find((word) => !isSaid(word))
}

function named({ tokens }: Reading): readonly string[] {
  return tokens.filter(({ kind }) => kind === 'number' || kind === 'date' || kind === 'name').map(({ word }) => word)
}
