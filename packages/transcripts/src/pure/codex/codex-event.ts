/** The events that Codex writes for its display. Those that repeat an item give nothing new. */
import {
  field,
  firstText,
  jsonLength,
  kindOf,
  listOf,
  numberOf,
  objectOf,
  textOf,
  type JsonObject,
} from '../json-object.ts'
import { keepOpenCall } from '../open-calls.ts'
import { knownFields } from '../known-fields.ts'
import { noTokens, tokensSince, type TokenTotals } from '../token-totals.ts'
import { bookkeeping, unknown, type EventBody } from '../transcript-parser.ts'
import { beginsAsContext } from './codex-prompt.ts'
import { contentTexts, say } from './codex-saying.ts'
import type { CodexRead, CodexState } from './codex-state.ts'

/** Reads an event. */
export function readCodexEvent(state: CodexState, event: JsonObject): CodexRead {
  const type = textOf(event['type'])
  if (type === 'user_message') return readUserEvent(state, event)
  if (type === 'agent_message')
    return say(state, { who: 'reply', source: 'event', text: firstText(event, 'message') ?? '' })
  if (type === 'item_completed') return readTurnItem(state, objectOf(event['item']) ?? {})
  if (type === 'token_count') return readTokens(state, event)
  if (type === 'exec_command_end') return { state: keepCode(state, event), events: [bookkeeping(type)] }
  return { state, events: [otherEvent(event, type)] }
}

/** Older versions showed instruction files and the surroundings, too, and named their kind. */
function readUserEvent(state: CodexState, event: JsonObject): CodexRead {
  const text = userText(event)
  const kind = firstText(event, 'kind') ?? 'plain'
  if (kind !== 'plain' || beginsAsContext(text)) return { state, events: [{ type: 'context', text }] }
  return say(state, { who: 'prompt', source: 'event', text })
}

function userText(event: JsonObject): string {
  const images = listOf(event['images']).length + listOf(event['local_images']).length
  return [firstText(event, 'message'), ...Array.from({ length: Math.min(images, 99) }, () => '[image]')]
    .filter((part) => part !== undefined)
    .join('\n')
}

function otherEvent(event: JsonObject, type: string | undefined): EventBody {
  const message = firstText(event, 'message')
  if (type === 'error' || type === 'stream_error') return { type: 'error', text: message ?? type }
  if (type === 'turn_aborted')
    return { type: 'error', text: `turn aborted: ${firstText(event, 'reason') ?? 'no reason given'}` }
  if (type === 'thread_rolled_back') return { type: 'rewind', turns: numberOf(event['num_turns']) ?? 1 }
  return quietEvents.test(type ?? '') ? bookkeeping(type) : unknown(`event_msg/${type ?? ''}`, jsonLength(event))
}

/** Events that repeat an item, or tell how the program is doing. */
const quietEvents =
  /^(?:agent_reasoning|agent_reasoning_raw_content|agent_reasoning_section_break|collab_\w+|context_compacted|deprecation_notice|dynamic_tool_call_\w+|entered_review_mode|environment_\w+|exec_\w+|exited_review_mode|guardian_\w+|hook_\w+|image_generation_\w+|item_started|mcp_\w+|model_\w+|patch_apply_\w+|plan_update|raw_response_\w+|session_configured|shutdown_complete|sub_agent_activity|task_complete|task_started|thread_goal_updated|thread_name_updated|thread_settings_applied|thread_queue_changed|turn_complete|turn_diff|turn_started|view_image_tool_call|warning|web_search_\w+)$/

/** Newer sessions write whole items of the display; those that the model was also given are copies. */
function readTurnItem(state: CodexState, item: JsonObject): CodexRead {
  const type = textOf(item['type']) ?? ''
  const text = contentTexts(item).join('\n')
  if (type === 'UserMessage') return say(state, { who: 'prompt', source: 'event', text })
  if (type === 'AgentMessage') return say(state, { who: 'reply', source: 'event', text })
  if (type === 'Plan') return say(state, { who: 'reply', source: 'event', text: firstText(item, 'text') ?? '' })
  const ended = type === 'CommandExecution' ? keepCode(state, { ...item, call_id: item['id'] }) : state
  const isKnown = turnItems.has(type)
  return {
    state: ended,
    events: [isKnown ? bookkeeping(`item/${type}`) : unknown(`item/${kindOf(type)}`, jsonLength(item))],
  }
}

const turnItems = new Set([
  'CollabAgentToolCall',
  'CommandExecution',
  'ContextCompaction',
  'DynamicToolCall',
  'EnteredReviewMode',
  'ExitedReviewMode',
  'Extension',
  'FileChange',
  'HookPrompt',
  'ImageGeneration',
  'ImageView',
  'McpToolCall',
  'Reasoning',
  'SubAgentActivity',
  'WebSearch',
])

function keepCode(state: CodexState, event: JsonObject): CodexState {
  const call = firstText(event, 'call_id')
  const code = numberOf(event['exit_code'])
  return call === undefined || code === undefined
    ? state
    : { ...state, codes: keepOpenCall(state.codes, call, String(code)) }
}

/** The host repeats its totals; the event has what was added since the last ones. */
function readTokens(state: CodexState, event: JsonObject): CodexRead {
  const usage = objectOf(field(objectOf(event['info']), 'total_token_usage'))
  if (usage === undefined) return { state, events: [bookkeeping('token_count')] }
  const total: TokenTotals = {
    input: numberOf(usage['input_tokens']) ?? 0,
    output: numberOf(usage['output_tokens']) ?? 0,
    cached: numberOf(usage['cached_input_tokens']) ?? 0,
  }
  const isReset = total.input < state.total.input || total.output < state.total.output
  const before = isReset ? noTokens : state.total
  const added = tokensSince(before, total)
  const isNothing = added.inputTokens + added.outputTokens === 0
  return {
    state: { ...state, total },
    events: [
      isNothing ? bookkeeping('token_count') : { type: 'usage', ...knownFields({ model: state.model }), ...added },
    ],
  }
}
