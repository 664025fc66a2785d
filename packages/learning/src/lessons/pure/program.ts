/** Parts of a shell command line: the commands in it, and the programs they start. */

/**
 * The commands of a line that an exit code of 0 speaks for. A pipe, a `;` or an `||` hides the exit codes of some of them, so then
 * there are none.
 */
export function commandsIn(line: string): readonly string[] {
  const text = line.trim().replace(/\s+2>&1$/, '')
  if (/[\n;|`]|\$\(|<<|(?<!&)&(?!&)/.test(text)) return []
  return text
    .split('&&')
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .filter((part) => part !== '')
}

export function programsIn(line: string): readonly string[] {
  return line.split(/&&|\|\||[;|\n]/).flatMap((part) => programOf(part.trim()) ?? [])
}

/** The first word that is not an assignment. */
export function programOf(command: string): string | undefined {
  return command.split(/\s+/).find((word) => word !== '' && !/^[A-Za-z_]\w*=/.test(word))
}
