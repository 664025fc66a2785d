/** The first lines that fit on a screen, cut at its right edge. The last line counts those that do not fit. */
export function linesThatFit(
  lines: readonly string[],
  { rows, columns }: { readonly rows: number; readonly columns: number },
): readonly string[] {
  const room = Math.max(1, rows)
  const shown = lines.length <= room ? lines : lines.slice(0, room - 1)
  const left = lines.length - shown.length
  return [...shown, ...(left === 0 ? [] : [`… and ${left} more lines`])].map((line) =>
    Array.from(line).slice(0, Math.max(1, columns)).join(''),
  )
}
