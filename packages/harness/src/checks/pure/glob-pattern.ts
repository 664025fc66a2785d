/** A file pattern as a regular expression: `*` and `?` within one name, `**` over directories, and `{a,b}`. */
export function globPattern(glob: string): RegExp {
  return new RegExp(`^${glob.split('/').map(part).join('/').replaceAll('§/', '(?:.*/)?').replaceAll('§', '.*')}$`, 'u')
}

/** `§` stands for `**` until the parts are joined, because the slash after it belongs to it. */
function part(name: string): string {
  if (name === '**') return '§'
  let pattern = ''
  let depth = 0
  for (const character of name.replaceAll('**', '*').replaceAll('§', '')) {
    if (character === '*') pattern += '[^/]*'
    else if (character === '?') pattern += '[^/]'
    else if (character === '{' && name.includes('}')) {
      depth += 1
      pattern += '(?:'
    } else if (character === '}' && depth > 0) {
      depth -= 1
      pattern += ')'
    } else if (character === ',' && depth > 0) pattern += '|'
    else pattern += character.replaceAll(/[$()*+./?[\\\]^{|}-]/gu, String.raw`\$&`)
  }
  return pattern + ')'.repeat(depth)
}
