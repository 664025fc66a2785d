import { describe, expect, it } from 'vitest'
import { setup } from '../world.ts'

const teams = ['falcon', 'heron', 'osprey', 'magpie', 'plover', 'wren']

async function ask(text: string, link: string, more: Readonly<Record<string, string>> = {}) {
  const { memory, write } = await setup()
  for (const [i, team] of teams.entries())
    await write(`projects/acme/teams/${team}.md`, `The on-call phone is 555-10${i}.\n`)
  await write('projects/acme/notes/payments.md', `The payments service is run by ${link}.\n`)
  for (const [key, content] of Object.entries(more)) await write(key, content)
  return memory.recall({ text, explain: true, floor: 'off' })
}

const question = 'what is the on-call phone of the team that runs the payments service?'

describe('a linked note', () => {
  it.each(['[[osprey]]', '[[teams/Osprey|the team]]', '[the team](../teams/osprey.md)'])(
    'comes before its like, if it has the missing words of the question: %s',
    async (link) => {
      const { results, explanation } = await ask(question, link)
      const phones = results.filter(({ text }) => text.includes('on-call'))
      expect(phones[0]?.key).toBe('projects/acme/teams/osprey.md')
      expect(phones[0]?.score).toBeGreaterThan(phones[1]?.score ?? Infinity)
      expect(explanation?.results.find(({ id }) => id === phones[0]?.id)?.linked).toBeGreaterThan(0)
    },
  )

  it.each([
    ['a list', 'aliases: [Night Watch, fish hawk]', '[[Night Watch]]'],
    ['a text', 'alias: Night Watch, fish hawk', '[[fish hawk|them]]'],
  ])('is found by an alias, too: %s', async (_, aliases, link) => {
    const text = `---\n${aliases}\n---\n\nThe on-call phone is 555-777.\n`
    const watch = { 'projects/acme/teams/night.md': text }
    const { results } = await ask(question, link, watch)
    expect(results.find((result) => result.text.includes('on-call'))?.key).toBe('projects/acme/teams/night.md')
    const without = await ask(question, 'a team', watch)
    expect(without.explanation?.results.every(({ linked }) => linked === undefined)).toBe(true)
  })

  it('gains nothing without a link, or without a missing word', async () => {
    const without = await ask(question, 'the team osprey')
    expect(without.explanation?.results.every(({ linked }) => linked === undefined)).toBe(true)
    const nothing = await ask('payments service', '[[osprey]]')
    expect(nothing.explanation?.results.every(({ linked }) => linked === undefined)).toBe(true)
  })

  it('of another project, or that is forgotten, stays where it is', async () => {
    const keys = ['projects/other/notes/secret.md', 'projects/acme/notes/gone.md']
    const text = 'The on-call phone is 555-999.'
    const { results } = await ask(question, '[[secret]] and [[gone]]', {
      'projects/other/notes/secret.md': `${text}\n`,
      'projects/other/_index.md': '---\nkind: index\n---\n\nOther.\n',
      'projects/acme/notes/gone.md': `---\nkind: note\nstatus: superseded\ncreated: 2026-01-02\nslug: gone\n---\n\n${text}\n`,
    })
    expect(results.map(({ key }) => key).filter((key) => keys.includes(key ?? ''))).toEqual([])
  })

  it('is found at a glance, which looks at few notes', async () => {
    const { memory, write } = await setup()
    for (const [i, team] of teams.entries())
      await write(`projects/acme/teams/${team}.md`, `The on-call phone is 555-10${i}.\n`)
    await write('projects/acme/notes/payments.md', 'The payments service is run by [[osprey]].\n')
    await memory.recall({ text: 'payments' })
    const { results } = await memory.recall({ text: question, glance: true, explain: true, floor: 'off' })
    expect(results.find(({ text }) => text.includes('on-call'))?.key).toBe('projects/acme/teams/osprey.md')
  })
})
