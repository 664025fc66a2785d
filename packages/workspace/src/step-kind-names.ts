/** Every kind of step that `harness.kinds` can name. */
export const stepKindNames = [
  'agent',
  'approval',
  'command',
  'http',
  'module',
  'claude-code',
  'codex',
  'gemini',
  'opencode',
] as const

export type StepKindName = (typeof stepKindNames)[number]

export function isStepKindName(name: string): name is StepKindName {
  return (stepKindNames as readonly string[]).includes(name)
}
