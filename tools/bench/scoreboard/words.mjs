// @ts-check
/** Figures and table rows as the page writes them. */

/** Three significant digits, thousands apart. @param {number} value */
export function figure(value) {
  if (!Number.isFinite(value)) return '–'
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 4 })
}

/** A share as recall writes it: .899. @param {number} share */
export function percent(share) {
  return share.toFixed(3).replace(/^0/, '')
}

/** @param {readonly string[]} cells */
export function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
