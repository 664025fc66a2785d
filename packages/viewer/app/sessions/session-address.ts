export function sessionAddress(id: string, turn?: string): string {
  return `/sessions/${encodeURIComponent(id)}${turn === undefined ? '' : `?turn=${encodeURIComponent(turn)}`}`
}
