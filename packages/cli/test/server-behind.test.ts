/** A server whose log an older program made, and one where nobody made any. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { printMigrations } from '@agentm/nodes-postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findPostgres, type OwnPostgres, startPostgres } from '../../../tools/postgres-server.mjs'
import { CliWorld } from './cli-world.ts'

const found = findPostgres()
let server: OwnPostgres | undefined
beforeAll(async () => {
  if (typeof found !== 'string') server = await startPostgres(found)
}, 60_000)
afterAll(async () => server?.stop(), 60_000)

it(
  'is looked at once it was brought up to date, which looking says and does not do',
  { timeout: 180_000 },
  async ({ skip }) => {
    if (typeof found === 'string') {
      skip(found)
      return
    }
    const cli = await CliWorld.forThisTest()
    cli.variables['AGENTM_NODES_URL'] = server?.url ?? ''
    expect((await cli.agentm(['status'])).out).toContain('There are no plans yet.')
    expect((await cli.agentm(['log', 'migrate'])).out).toContain('There is no log yet')

    // What this program knows, seen by one that knows a migration more.
    const psql = path.join(found.bin, 'psql')
    execFileSync(psql, ['-qv', 'ON_ERROR_STOP=1', server?.url ?? ''], { input: printMigrations('agentm') })
    cli.variables['NODE_OPTIONS'] = `--import=${new URL('children/next-migration.mjs', import.meta.url).href}`

    const refused = await cli.agentm(['status'])
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/has version \d+, .*\n {2}try: agentm log migrate\n/),
    ])
    expect((await cli.agentm(['trace', 'any'])).err).toContain('[LOG_BEHIND]')
    expect((await cli.agentm(['doctor'])).out).toContain('agentm log migrate')
    expect((await cli.agentm(['log', 'migrate'])).out).toContain('is up to date.')
    expect((await cli.agentm(['status'])).out).toContain('No plan is running or waiting.')
  },
)
