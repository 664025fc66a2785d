import { migrations } from './migrations.ts'
import { quotedName } from './pure/quoted-name.ts'

/**
 * The whole schema as SQL, for a person with more rights than the program who applies it by hand.
 *
 * @example
 * ```ts
 * import { printMigrations } from '@agentm/nodes-postgres'
 *
 * console.log(printMigrations('agentm').includes('create table')) // true
 * ```
 */
export function printMigrations(schema = 'agentm'): string {
  const s = quotedName(schema)
  const steps = migrations.map(
    ({ name, sql }, i) => `-- ${i + 1}: ${name}\n${sql(s).trim()}\n${recorded(s, i + 1, name)}\n`,
  )
  return `begin;\n\n${bookkeeping(s)}\n\n${steps.join('\n')}\ncommit;\n`
}

export function bookkeeping(s: string): string {
  return `create schema if not exists ${s};
create table if not exists ${s}.migrations (
  version integer primary key,
  name text not null,
  applied_at timestamptz not null default now()
);`
}

export function recorded(s: string, version: number, name: string): string {
  return `insert into ${s}.migrations (version, name) values (${version}, '${name}');`
}
