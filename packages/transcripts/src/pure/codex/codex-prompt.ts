/** Texts that Codex puts into the person's messages: the surroundings, instruction files, skills, notices. */

/** True if the text is one of Codex's own. */
export function isCodexContext(text: string): boolean {
  const trimmed = text.trim()
  if (beginsAsContext(text)) return true
  const tag = /^<([A-Za-z][\w-]*)[^>]*>/.exec(trimmed)?.[1]
  return tag !== undefined && trimmed.endsWith('>') && trimmed.includes(`</${tag}`)
}

/** True if the text begins like one that Codex is known to write. A person may type any other tag. */
export function beginsAsContext(text: string): boolean {
  const trimmed = text.trimStart()
  return beginnings.some((beginning) => trimmed.startsWith(beginning))
}

/** An editor writes what is open in it above the request. Its last heading counts, because a selection may quote one. */
export function requestOf(text: string): { readonly above: string; readonly typed: string } {
  const at = text.lastIndexOf(heading)
  const isHeading = at === 0 || text[at - 1] === '\n'
  if (at < 0 || !isHeading) return { above: '', typed: text }
  return { above: text.slice(0, at), typed: text.slice(at + heading.length).trim() }
}

const heading = '## My request for Codex:'

const beginnings = [
  '# AGENTS.md instructions',
  '<environment_context',
  '<user_instructions>',
  '<INSTRUCTIONS>',
  '<skill>',
  '<hook_prompt',
  '<turn_aborted>',
  '<subagent_notification>',
  '<user_shell_command>',
  '<codex_internal_context',
  '<goal_context>',
  '<recommended_plugins>',
  'Warning: The maximum number of unified exec processes',
  'Warning: apply_patch was requested via',
  'Warning: Your account was flagged',
]
