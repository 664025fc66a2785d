/** The turns of a session as text for a person or a model. Every text of the session is a marked field on one line. */
import { marked, oneLine } from '@agentm/memory/shown'
import type { KeptTurn } from './kept-turn.ts'

const mostShown = 400

export function sessionTimeline(turns: readonly KeptTurn[]): string {
  return turns.map(turnText).join('\n\n')
}

function turnText({ id, at, turn }: KeptTurn): string {
  const { host, session, records, asked, task, done, open = [] } = turn
  const { decisions = [], fixes = [], commands = [], files = [], errors = [] } = turn
  const where = `${host} session ${session}, records ${records[0]} to ${records[1]}`
  return [
    `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}  ${oneLine(where)}  ${oneLine(id.split(':').at(-1) ?? id)}`,
    ...(task === undefined ? fields('asked', [asked]) : fields('task of a sub-agent', [task])),
    ...fields('done', done === undefined ? [] : [done]),
    ...fields(
      'decided',
      decisions.map(({ text, by }) => `${by}: ${text}`),
    ),
    ...fields(
      'fixed',
      fixes.map(({ command, error, by }) => `${command}: ${error} (${by.join(', ')})`),
    ),
    ...fields(
      'ran',
      commands.map(({ command, failed, error }) => `${command}${failed ? failedText(error) : ''}`),
    ),
    ...fields(
      'files',
      files.map(({ file, how }) => `${how} ${file}`),
    ),
    ...fields('error', errors),
    ...fields('left to do', open),
  ].join('\n')
}

function failedText(error: string | undefined): string {
  return error === undefined ? ' (failed)' : ` (failed: ${error})`
}

function fields(name: string, texts: readonly string[]): readonly string[] {
  return texts.map((text) => `  ${name} ${marked(text, mostShown)}`)
}
