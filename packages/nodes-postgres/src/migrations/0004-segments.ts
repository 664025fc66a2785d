/**
 * Vectors packed by the thousand, for processes that start cold and compare vectors themselves. Derived, and never needed:
 * without them the same answers come later.
 */
export function segments(s: string): string {
  return `
create table ${s}.segments (
  embedder integer not null,
  number integer not null,
  since xid8 not null,
  rows integer not null,
  data bytea not null,
  primary key (embedder, number)
);
alter table ${s}.segments alter column data set storage external;

-- One row: held by who packs, and by who erases something that may have been packed.
create table ${s}.packing (epoch bigint not null);
insert into ${s}.packing values (0);`
}
