// @ts-check
/** `node root-page.mjs FILE TABLE` prints the first page of a table or an index. A process of its own lets go of the file for certain. */
const [, , file, table] = process.argv
const { DatabaseSync } = builtin() ?? (await import('@photostructure/sqlite'))
const row = new DatabaseSync(file).prepare('select rootpage from sqlite_master where name = ?').get(table)
process.stdout.write(String(row.rootpage))

function builtin() {
  return /** @type {{ getBuiltinModule?: (name: string) => any }} */ (process).getBuiltinModule?.('node:sqlite')
}
