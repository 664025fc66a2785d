/**
 * Permissions of Codex. It does everything through commands, reading files included, and its sandbox limits what they write and
 * whether they reach the network, but not which programs run nor what they read. So only a policy that allows any program allows it.
 */
import { type ClientGrant, nothingGranted } from './client-grant.ts'
import type { ClientPolicy } from './client-policy.ts'

export function codexGrant({ shell, files }: ClientPolicy): ClientGrant | { readonly refused: string } {
  if (shell !== 'any')
    return {
      refused:
        'Codex reads and writes files by running commands, and cannot be limited to some programs. Allow all: agentm config set tools.shell.allow "*"',
    }
  if (files === 'off')
    return {
      refused:
        'Codex reads files by running commands, and files are off. Allow it to read them: agentm config set tools.files read',
    }
  const mode = files === 'write' ? 'workspace-write' : 'read-only'
  const settings = {
    sandbox_mode: mode,
    approval_policy: 'never',
    web_search: 'disabled',
    ...(files === 'write' && { 'sandbox_workspace_write.network_access': true }),
  }
  const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${JSON.stringify(value)}`])
  return { ...nothingGranted, args }
}
