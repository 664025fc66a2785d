import { consolidationDefaults } from '@agentm/learning'
import { type Setting, settings } from '@agentm/settings'
import { transcriptHosts } from '@agentm/transcripts'
import { expect, it } from 'vitest'

it('the defaults of consolidation in the table of settings are those in force', () => {
  const table: Readonly<Record<string, Setting<unknown>>> = settings
  const documented = Object.keys(consolidationDefaults).map((name) => {
    const inForce = table[`consolidation.${name}`]?.default
    return [name, typeof inForce === 'number' ? inForce : undefined]
  })
  expect(Object.fromEntries(documented)).toEqual(consolidationDefaults)
})

it('the sessions of every agent are captured by default; plain ones only from the directory in capture.plain', () => {
  const hosts = transcriptHosts.filter((host) => host !== 'plain')
  expect(settings['capture.hosts'].default).toEqual(hosts)
  expect(settings['capture.hosts'].choices).toEqual(hosts)
})
