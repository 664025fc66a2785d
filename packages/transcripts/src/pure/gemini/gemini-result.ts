/** What came back from a tool of Gemini CLI. */
import {
  jsonText,
  field,
  firstText,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  type JsonObject,
  type JsonValue,
} from '../json-object.ts'

/** The answer of a tool. */
export interface GeminiResult {
  readonly text: string
  readonly exitCode: number | undefined
}

/** The answer that the result of a call holds: parts with texts and function responses. */
export function geminiResult(result: JsonValue | undefined, tool: string): GeminiResult {
  const text = typeof result === 'string' ? result : partsOf(result).map(partText).filter(Boolean).join('\n')
  return { text, exitCode: tool === 'run_shell_command' ? exitCodeOf(text) : undefined }
}

/** The texts of a content: a string, one part, or a list of parts. */
export function geminiTexts(content: JsonValue | undefined): readonly string[] {
  const parts = partsOf(content)
  return parts.flatMap((part) => firstText(part, 'text') ?? (part['inlineData'] === undefined ? [] : ['[inline data]']))
}

/** The parts of a content. */
export function partsOf(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
  const one = objectOf(content)
  if (one !== undefined) return [one]
  return listOf(content).flatMap((part) => (typeof part === 'string' ? [{ text: part }] : objectsOf([part])))
}

function partText(part: JsonObject): string {
  const response = objectOf(field(objectOf(part['functionResponse']), 'response'))
  return (
    firstText(response, 'output', 'error') ??
    firstText(part, 'text') ??
    (response === undefined ? '' : (jsonText(response) ?? ''))
  )
}

/** The code stands in the lines behind the output. Current versions leave out a zero, and older ones always write it. */
function exitCodeOf(text: string): number | undefined {
  const footer = footerOf(text)
  const said = footer.find((line) => line.startsWith('Exit Code: '))
  if (said !== undefined) return numberOf(Number(said.slice('Exit Code: '.length)))
  const isCurrent =
    /^(?:<untrusted_context>\n)?Output: /.test(text) && footer.some((line) => line.startsWith('Process Group'))
  return isCurrent && !footer.some((line) => /^(?:Error|Signal|Background)/.test(line)) ? 0 : undefined
}

function footerOf(text: string): readonly string[] {
  const lines = text
    .slice(-2000)
    .split('\n')
    .filter((line) => line !== '' && line !== '</untrusted_context>')
  const above = lines.findLastIndex(
    (line) => !/^(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): /.test(line),
  )
  return lines.slice(above + 1)
}
