/** New vectors may wait beside the index that finds the nearest, and enter it later. */
export function vectorsWait(s: string): string {
  return `
alter table ${s}.vectors add column waits boolean not null default false;
create index vectors_waiting on ${s}.vectors (embedder, key) where waits;`
}
