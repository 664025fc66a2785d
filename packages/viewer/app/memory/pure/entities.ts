/** The letters that HTML writes as names and numbers, in texts of Markdown. Unknown names stay as they are. */
const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00A0',
    copy: '©',
    reg: '®',
    hellip: '…',
    ndash: '–',
    mdash: '—',
    rarr: '→',
    larr: '←',
    times: '×',
    middot: '·',
    bull: '•',
  }),
)

export function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return named.get(name) ?? whole
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\uFFFD'
  })
}
