/** What came back from a tool of Claude Code: the text that the model saw, and the exit code if the tool ran a command. */
import { field, firstText, listOf, objectOf, type JsonObject, type JsonValue } from '../json-object.ts'
import { knownFields } from '../known-fields.ts'
import type { EventBody } from '../transcript-parser.ts'

/** The event of one `tool_result` block. `answer` is the host's own record of the result, `tool` the tool of the call. */
export function claudeCodeResult(
  block: JsonObject,
  { answer, tool }: { readonly answer: JsonValue | undefined; readonly tool: string | undefined },
): EventBody {
  const text = contentText(block['content'])
  const isError = block['is_error'] === true
  const exitCode = tool === 'Bash' || tool === 'PowerShell' ? exitCodeOf({ text, isError, answer }) : undefined
  return {
    type: 'result',
    call: firstText(block, 'tool_use_id') ?? '',
    text,
    isError,
    ...knownFields({ exitCode }),
  }
}

/** The text of a content that is a string or a list of blocks; an image is named, not copied. */
export function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((block) => (typeof block === 'string' ? block : blockText(objectOf(block))))
    .filter((text) => text !== '')
    .join('\n')
}

function blockText(block: JsonObject | undefined): string {
  if (block === undefined) return ''
  return firstText(block, 'text') ?? (typeof block['type'] === 'string' ? `[${block['type'].slice(0, 60)}]` : '')
}

/**
 * A failed command begins with its exit code. A command that was not reported as failed ended with 0, unless it was interrupted, runs
 * on in the background, or the host reinterpreted its code.
 */
function exitCodeOf({
  text,
  isError,
  answer,
}: {
  readonly text: string
  readonly isError: boolean
  readonly answer: JsonValue | undefined
}): number | undefined {
  const said = /^(?:Error: )?Exit code (-?\d{1,9})\b/.exec(text)?.[1]
  if (said !== undefined) return Number(said)
  const ran = objectOf(answer)
  if (isError || ran === undefined || typeof field(ran, 'stdout') !== 'string') return undefined
  const isOver =
    ran['interrupted'] !== true && firstText(ran, 'backgroundTaskId', 'returnCodeInterpretation') === undefined
  return isOver ? 0 : undefined
}
