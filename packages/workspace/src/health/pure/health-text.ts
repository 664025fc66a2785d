import type { HealthRow } from '../health-row.ts'

/** What was found and what helps, as one text. */
export function healthText({ text, help = [] }: Pick<HealthRow, 'text' | 'help'>): string {
  return [text, ...help.map(({ to, command }) => `${to}: ${command}`)].join('. ')
}
