/** A manual page of a command, in the language of man(1). */
import type { Command } from '../command.ts'

export interface ManPage {
  readonly name: string
  readonly version: string
  readonly command: Pick<Command, 'takes' | 'summary' | 'details' | 'options'>
}

export function manPage({ name, version, command }: ManPage): string {
  const { takes, summary, details, options = {} } = command
  const all = { ...options, json: { help: 'print the answer as JSON, for programs' }, help: { help: 'print help' } }
  return [
    ...title(fileName(name), version),
    '.SH NAME',
    `${escaped(fileName(name))} \\- ${escaped(summary)}`,
    '.SH SYNOPSIS',
    `.B ${escaped(`agentm ${name}`)}`,
    ...(takes === undefined ? [] : [`.I ${escaped(takes)}`]),
    '[OPTIONS]',
    ...(details === undefined ? [] : ['.SH DESCRIPTION', ...paragraphs(details)]),
    '.SH OPTIONS',
    ...Object.entries(all).flatMap(([option, one]) => optionLines(option, one)),
    ...ending,
  ].join('\n')
}

export function manOverview({
  version,
  commands,
}: {
  readonly version: string
  readonly commands: readonly ManPage[]
}): string {
  return [
    ...title('agentm', version),
    '.SH NAME',
    'agentm \\- the memory and the execution record of coding agents',
    '.SH SYNOPSIS',
    '.B agentm',
    '.I COMMAND',
    '[OPTIONS]',
    '.SH DESCRIPTION',
    `Each command has its own page, such as ${escaped(fileName(commands[0]?.name ?? ''))}(1).`,
    '.SH COMMANDS',
    ...commands.flatMap(({ name, command }) => ['.TP', `.B ${escaped(name)}`, escaped(command.summary)]),
    ...ending,
  ].join('\n')
}

/** `agentm-config-set` for `config set`. */
export function fileName(name: string): string {
  return `agentm-${name.replaceAll(' ', '-')}`
}

const ending = [
  '.SH EXIT STATUS',
  '0 when the command succeeded, 1 when it was refused or a check failed, 2 when it was called wrongly.',
  '.SH SEE ALSO',
  'agentm(1)',
  '',
]

function title(name: string, version: string): readonly string[] {
  return [`.TH ${escaped(name.toUpperCase())} 1 "" "agentm ${escaped(version)}" "agentm manual"`]
}

function paragraphs(text: string): readonly string[] {
  return text.split('\n').flatMap((line, i) => (i === 0 ? [escaped(line)] : ['.PP', escaped(line)]))
}

function optionLines(
  name: string,
  { value, help }: { readonly value?: string; readonly help: string },
): readonly string[] {
  const flag = value === undefined ? '' : ` \\fI${escaped(value)}\\fR`
  return ['.TP', `\\fB\\-\\-${escaped(name)}\\fR${flag}`, escaped(help)]
}

/** A hyphen stays a hyphen that can be copied; a line never begins with a request. */
function escaped(text: string): string {
  const plain = text.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  const ascii = plain.replaceAll(/\P{ASCII}/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
    return `\\[u${code.padStart(4, '0')}]`
  })
  return /^[.']/.test(ascii) ? `\\&${ascii}` : ascii
}
