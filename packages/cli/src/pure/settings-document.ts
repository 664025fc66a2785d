/** Every setting as a person reads it: `agentm config keys`, and docs/reference/configuration.md. */
import { findSetting, type Setting, settingFamilies, settings, variables } from '@agentm/settings'

export function settingsDocument(): string {
  const all = Object.entries<Setting<unknown>>(settings)
  const parts = groups.flatMap(({ title, prefixes }) => [
    `## ${title}`,
    ...all.filter(([key]) => groupOf(key)?.prefixes === prefixes).map(([key]) => page(key)),
    ...Object.keys(settingFamilies)
      .filter((prefix) => groupOf(prefix)?.prefixes === prefixes)
      .map((prefix) => page(`${prefix}NAME`)),
  ])
  return [preface, ...parts, '## Variables of the environment', variableRows()].join('\n\n')
}

export function settingText(key: string): string {
  const setting = findSetting(key)
  if (setting === undefined) return `${key}: a setting of a plugin or of another program.`
  const facts = [
    `Form: ${setting.form}.`,
    ...(setting.default === undefined ? [] : [`Default: ${shownDefault(setting.default)}.`]),
    ...(setting.variable === undefined ? [] : [`Variable: \`${setting.variable}\`.`]),
    ...(setting.alsoAs === undefined ? [] : [`Older programs read it as ${setting.alsoAs.join(', ')}.`]),
  ]
  return `${setting.help}\n\n${facts.join(' ')}`
}

const groups = [
  { title: 'You and your project', prefixes: ['owner', 'state_mode'] },
  { title: 'Where notes are kept', prefixes: ['storage.', 'plugins.'] },
  { title: 'Where plans and beliefs are kept', prefixes: ['nodes.'] },
  { title: 'The model', prefixes: ['models.'] },
  { title: 'The embedder', prefixes: ['embedder.'] },
  { title: 'The reranker', prefixes: ['reranker.'] },
  { title: 'What workers run', prefixes: ['harness.', 'codingAgents.'] },
  { title: 'Where steps work', prefixes: ['trees.'] },
  { title: 'What agents may do', prefixes: ['tools.'] },
  { title: 'Learning', prefixes: ['capture.', 'learning.', 'consolidation.'] },
]

function groupOf(key: string) {
  return groups.find(({ prefixes }) => prefixes.some((prefix) => key.startsWith(prefix)))
}

function page(key: string): string {
  return `### ${key}\n\n${settingText(key)}`
}

function shownDefault(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'says' in value) return String(value.says)
  return `\`${Array.isArray(value) ? value.join(', ') || '[]' : String(value)}\``
}

function variableRows(): string {
  return Object.entries(variables)
    .map(([name, { help }]) => `- \`${name}\`: ${help}`)
    .join('\n')
}

const preface = `# Configuration

Every setting of the install config, \`~/.claude/.agentm-config.json\`. Change one with \`agentm config set KEY VALUE\`, go back to its
default with \`agentm config unset KEY\`, and read it with \`agentm config get KEY\`. A variable of the environment wins over the file.
Lists are written with commas, objects as JSON. Settings that are not listed belong to plugins (\`plugins.NAME.KEY\`) or to other
programs, and are kept as they are.

Printed from the table of settings by \`npm run docs\`.`
