/**
 * An item may be older than its head from here on. Segments packed before do not say which rows are of nodes, and are packed
 * again when they are missed.
 */
export function followedHeads(s: string): string {
  return `
delete from ${s}.segments;
update ${s}.packing set epoch = epoch + 1;`
}
