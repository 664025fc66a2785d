export function stepCount(count: number): string {
  return count === 1 ? '1 step' : `${count} steps`
}
