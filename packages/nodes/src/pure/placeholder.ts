const words =
  /example|sample|placeholder|your[_-]|dummy|changeme|change-me|redacted|not-?a-?real|fake|test-?key|process\.env|import\.meta|os\.environ|getenv/i

/** Whether a value is a placeholder that manuals and templates write in place of a secret. */
export function isPlaceholder(value: string): boolean {
  if (words.test(value) || /^\$?\{|\$\{|\{\{|^<|>$|^%[A-Z_]+%$|^\$[A-Z_(]|^\[redacted/.test(value)) return true
  const body = value.replace(/^[A-Za-z]{1,20}[-_]+(?:[a-z0-9]{1,20}[-_]+)?/, '')
  return new Set(body.slice(-16)).size < 4
}
