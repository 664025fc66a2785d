export { codingAgentInput } from './coding-agent-input.ts'
export { type CodingAgentKind, codingAgentKind, type CodingAgentOptions } from './coding-agent-kind.ts'
export { type CodingAgentName, codingAgentNames } from './coding-agents.ts'
export type { ClientPolicy } from './pure/client-policy.ts'
