/**
 * Text for a screen somebody looks at, without what would make the terminal act: notes come from agents and from the web, and
 * an escape sequence in one may rewrite the screen or fill the clipboard. Each such character is shown as its picture or code.
 */
export function harmlessText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character, at: number) =>
    isOurs(text, at) ? character : (pictureOf(character.charCodeAt(0)) ?? '\uFFFD'),
  )
}

// What this program paints itself (bold, dim, red, and back), and the line ends of every system.
const ours = ['\n', '\t', '\r\n', '\u001B[0m', '\u001B[1m', '\u001B[2m', '\u001B[31m']
// The way back over a line of progress, before anything else is said.
const back = '\r\u001B[2K'

function isOurs(text: string, at: number): boolean {
  if (at === 0 && text.startsWith('\r')) return true
  return (at === 1 && text.startsWith(back)) || ours.some((each) => text.startsWith(each, at))
}

/** Unicode has pictures for the first 32 and for DEL. */
function pictureOf(code: number): string | undefined {
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : undefined
}
