// @ts-check
/** Loaded before a command, so that it is of a later version: it knows one migration more than the program has. */
const { migrations } = await import(new URL('../../../nodes-postgres/dist/migrations.js', import.meta.url).href)
migrations.push({
  name: 'next',
  sql: (/** @type {string} */ schema) => `alter table ${schema}.sessions add column later text;`,
})
