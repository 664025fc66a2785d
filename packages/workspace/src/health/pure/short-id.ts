/** The beginning of an id, as every command takes it; an id that somebody chose is short enough as it is. */
export function shortId(id: string, length = 8): string {
  const short = id.slice(id.lastIndexOf(':') + 1)
  return /^[0-9a-f-]{32,36}$/.test(short) ? short.slice(0, length) : short
}
