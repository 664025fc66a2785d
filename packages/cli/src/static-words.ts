/** Words for the placeholders of the help that do not depend on what is stored. */
import { findSetting, type Setting, settings } from '@agentm/settings'
import { floors } from '@agentm/memory/reader'
import { hosts } from './hosts/hosts.ts'
import type { Wanted } from './pure/completion-of.ts'

export function findStaticWords({ placeholder, command, before }: Wanted): readonly string[] {
  if (placeholder === 'KEY' && command.startsWith('config ')) return Object.keys(settings)
  if (placeholder === 'VALUE' && command === 'config set') return choicesOf(findSetting(before[0] ?? ''))
  return words[`${command} ${placeholder}`] ?? words[placeholder] ?? []
}

function choicesOf(setting: Setting<unknown> | undefined): readonly string[] {
  return setting?.choices ?? []
}

const words: Readonly<Record<string, readonly string[]>> = {
  HOST: hosts.map(({ name }) => name),
  SHELL: ['bash', 'zsh', 'fish'],
  'state path WHICH': ['plan', 'progress'],
  'state read FILE': ['PLAN.md', 'progress.md'],
  'state write FILE': ['PLAN.md', 'progress.md'],
  SUITE: ['seed', 'extended'],
  WHAT: ['note', 'belief', 'episode', 'session'],
  HOW: floors,
  FORMAT: ['text', 'seed'],
  'beliefs list STATUS': ['active', 'pruned', 'all'],
  'beliefs STATUS': ['active', 'pruned', 'all'],
}
