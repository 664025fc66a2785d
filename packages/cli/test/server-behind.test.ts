/** A server whose log an older program made, and one where nobody made any. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { printMigrations } from '@agentm/nodes-postgres'
import { expect, it } from 'vitest'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { CliWorld } from './cli-world.ts'

const server = ownPostgres()

it(
  'is looked at once it was brought up to date, which looking says and does not do',
  { timeout: 180_000 },
  async () => {
    const cli = await CliWorld.forThisTest()
    const { url, bin } = server()
    cli.variables['AGENTM_NODES_URL'] = url
    expect((await cli.agentm(['status'])).out).toContain('There are no plans yet.')
    expect((await cli.agentm(['log', 'migrate'])).out).toContain('There is no log yet')

    // What this program knows, seen by one that knows a migration more.
    const psql = path.join(bin, 'psql')
    execFileSync(psql, ['-qv', 'ON_ERROR_STOP=1', url], { input: printMigrations('agentm') })
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
