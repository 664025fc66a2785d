/** The programs whose session files are read. `plain` is our own documented JSONL. */
export const transcriptHosts = ['claude-code', 'codex', 'gemini', 'opencode', 'plain'] as const

/** A program whose session files are read. */
export type TranscriptHost = (typeof transcriptHosts)[number]
