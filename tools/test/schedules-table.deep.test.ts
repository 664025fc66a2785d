import { harnessConcepts } from '@agentm/harness'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { findPostgres, startPostgres } from '../postgres-server.mjs'
import { cases, play, playOnFile, type Row, table } from '../schedules-table.mjs'

/** What a page shows: everything but which of the two workers won. */
function shown(rows: readonly Row[]): readonly string[] {
  return table(rows).split('\n').slice(2)
}

const decision = new URL('../../docs/decisions/harness-schedules.md', import.meta.url)

async function recorded(): Promise<readonly string[]> {
  const lines = (await readFile(decision, 'utf8')).split('\n').filter((line) => line.startsWith('| '))
  const rows = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  return rows.slice(-cases.length).map((cells) => `| ${cells.join(' | ')} |`)
}

it('makes the starts that the table in the documentation shows, on files', async () => {
  const rows: Row[] = []
  for (const each of cases) rows.push(await playOnFile(each))
  console.info(table(rows))
  expect(shown(rows)).toEqual(await recorded())
})

it('makes the same starts on PostgreSQL', async ({ skip }) => {
  const found = findPostgres()
  if (typeof found === 'string') {
    skip(found)
    return
  }
  const { openPostgresStore } = await import('@agentm/nodes-postgres')
  const server = await startPostgres(found)
  try {
    const rows: Row[] = []
    for (const each of cases) {
      const target = { url: server.url, schema: server.newSchema() }
      const place = {
        address: JSON.stringify(target),
        open: (runtime: Parameters<Parameters<typeof play>[1]['open']>[0]) =>
          openPostgresStore({ ...target, concepts: harnessConcepts, runtime }),
      }
      rows.push(await play(each, place))
    }
    console.info(table(rows))
    expect(shown(rows)).toEqual(await recorded())
  } finally {
    await server.stop()
  }
})
