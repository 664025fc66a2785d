/** Which coding agent it was: a letter in its own colour, and its name. */
const hosts: Readonly<Record<string, { readonly name: string; readonly letter: string }>> = {
  'claude-code': { name: 'Claude Code', letter: 'C' },
  codex: { name: 'Codex', letter: 'X' },
  gemini: { name: 'Gemini CLI', letter: 'G' },
  opencode: { name: 'opencode', letter: 'O' },
  plain: { name: 'Another agent', letter: 'A' },
}

export function hostName(host: string): string {
  return hosts[host]?.name ?? host
}

export function HostMark({ host }: { readonly host: string }) {
  return (
    <span class={`host host-${host}`} title={hostName(host)}>
      <span aria-hidden="true">{hosts[host]?.letter ?? '?'}</span>
      <span class="only-read">{hostName(host)}</span>
    </span>
  )
}
