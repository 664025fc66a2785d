/** What came back from a tool of Codex: its text, and whether and how it failed. Codex writes no mark of failure, only texts. */
import { field, listOf, numberOf, objectOf, parseObject, textOf, type JsonValue } from '../json-object.ts'

/** An answer of a tool. */
export interface CodexResult {
  readonly text: string
  readonly exitCode: number | undefined
  readonly isError: boolean
}

/** The answer that an output holds: a string, a list of blocks, or an object with a string. */
export function codexResult(output: JsonValue | undefined): CodexResult {
  const text = outputText(output)
  const old = oldForm(text)
  const exitCode = old?.exitCode ?? headerCode(text)
  return { text: old?.text ?? text, exitCode, isError: exitCode === undefined ? failed.test(text) : exitCode !== 0 }
}

/** Sentences that Codex answers in the place of a tool that did not run or did not succeed. */
const failed =
  /^(?:aborted by user|Wall time: [\d.]+ seconds\naborted by user|execution error|exec_command failed|write_stdin failed|failed to |failed in sandbox|command rejected|exec command rejected|patch rejected|rejected|unsupported |apply_patch verification failed|tool call error|err:|Error\b|error:|sandbox denied|user rejected|This command was rejected)/i

function outputText(output: JsonValue | undefined): string {
  if (typeof output === 'string') return output
  const list = listOf(output)
  if (list.length > 0) return list.map(blockText).filter(Boolean).join('\n')
  const object = objectOf(output)
  return textOf(field(object, 'content')) ?? textOf(field(object, 'output')) ?? ''
}

function blockText(block: JsonValue): string {
  const object = objectOf(block)
  const type = textOf(object?.['type']) ?? 'block'
  return textOf(object?.['text']) ?? `[${type.slice(0, 60)}]`
}

/** Older versions wrote the output and its exit code as JSON. */
function oldForm(text: string): { readonly text: string; readonly exitCode: number | undefined } | undefined {
  if (!text.startsWith('{"output":')) return undefined
  const parsed = parseObject(text)
  const output = parsed?.['output']
  if (typeof output !== 'string') return undefined
  return { text: output, exitCode: numberOf(field(objectOf(parsed?.['metadata']), 'exit_code')) }
}

/** The exit code stands in the lines above `Output:`, so that the output of a command cannot pretend one. */
function headerCode(text: string): number | undefined {
  const header = text.slice(0, 2000).split(/^(?:Output|Total output lines):?.*$/m)[0] ?? ''
  if (!/^(?:Exit code|Chunk ID|Wall time|Warning): /.test(header)) return undefined
  const said = /^(?:Exit code:|Process exited with code) (-?\d{1,9})$/m.exec(header)?.[1]
  return said === undefined ? undefined : Number(said)
}
