/** Numbers, dates and names of a statement that none of its source texts contains, so they were made up. */
import { type Reading, readStatement } from './statement-difference.ts'

export function ungroundedIn(statement: string, texts: readonly string[]): string | undefined {
  const said = texts.map(readStatement)
  const isSaid = (word: string) => said.some(({ words }) => words.has(word))
  return named(readStatement(statement)).find((word) => !isSaid(word))
}

function named({ tokens }: Reading): readonly string[] {
  return tokens.filter(({ kind }) => kind === 'number' || kind === 'date' || kind === 'name').map(({ word }) => word)
}
