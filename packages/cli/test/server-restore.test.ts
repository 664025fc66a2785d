/** A backup of a log on a server comes back into an empty database, and nowhere else. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ownPostgres } from '../../../tools/own-postgres.mjs'
import { CliWorld } from './cli-world.ts'

const server = ownPostgres()

it(
  'a backup of a log on a server is restored by the command into an empty database, and into nothing else',
  { timeout: 180_000 },
  async () => {
    const { url, bin } = server()
    const cli = await CliWorld.forThisTest()
    await cli.file('repo/plan.yaml', 'goal: nightly report\nsteps:\n  - { key: a, title: Ship it?, kind: approval }\n')
    await cli.agentm(['save', 'The harbour closes at nine', '--kind', 'fact'])
    const here = await cli.agentm(['log', 'backup', 'file.db'])
    expect(here).toMatchObject({ code: 0 })

    cli.variables['AGENTM_NODES_URL'] = url
    expect(await cli.agentm(['plan', 'new', '--steps', 'plan.yaml'])).toMatchObject({ code: 0 })
    expect(await cli.agentm(['log', 'backup', 'server.jsonl'])).toMatchObject({ code: 0 })
    const { plans } = await cli.json(['status'])
    expect(plans).toHaveLength(1)

    // The database that has a log is left alone.
    const onto = await cli.agentm(['log', 'restore', 'server.jsonl'])
    expect([onto.code, onto.err]).toEqual([1, expect.stringContaining('already contains nodes')])

    execFileSync(path.join(bin, 'psql'), ['-qc', 'create database restored', url])
    cli.variables['AGENTM_NODES_URL'] = url.replace('/postgres?', '/restored?')
    const other = await cli.agentm(['log', 'restore', 'file.db'])
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('is not a backup of a PostgreSQL log')])
    const none = await cli.agentm(['log', 'restore', 'none.jsonl'])
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('there is no backup at')])
    expect(await cli.agentm(['log', 'restore', 'server.jsonl'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('was restored.') as unknown,
    })
    expect(await cli.json(['status'])).toEqual({ plans })
    expect(await cli.json(['log', 'check'])).toMatchObject({ ok: true })

    delete cli.variables['AGENTM_NODES_URL']
    const asFile = await cli.agentm(['log', 'restore', 'server.jsonl'])
    expect([asFile.code, asFile.err]).toEqual([
      1,
      expect.stringContaining('is a backup of a log on a PostgreSQL server'),
    ])
  },
)
