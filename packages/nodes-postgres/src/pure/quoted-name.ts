/** Quotes a schema name for a statement. Only plain names are allowed, so that messages and scripts stay readable. */
export function quotedName(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(name))
    throw new TypeError(`a schema is named with small letters, digits and underscores, not ${JSON.stringify(name)}`)
  return `"${name}"`
}
