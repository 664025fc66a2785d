import {
  findSetting,
  namesOf,
  parseSetting,
  parseSettings,
  priceOf,
  type Setting,
  settings,
  valueFromText,
} from '@agentm/settings'
import { inputsOf, setInputs } from '@agentm/settings/internal'
import { describe, expect, it } from 'vitest'

describe('parseSettings', () => {
  it('trims text, turns numbers written as text into numbers, and keeps keys of other programs', () => {
    const parsed = parseSettings({ owner: ' ada ', 'models.contextTokens': '8000', fragments: [], ratio: 1 })
    expect(parsed).toEqual({
      ok: true,
      values: { owner: 'ada', 'models.contextTokens': 8000, fragments: [], ratio: 1 },
    })
  })

  it('names the first key whose value cannot be meant, and what it should have been', () => {
    const parsed = parseSettings({ owner: 'ada', 'tools.files': 'all', 'harness.kinds': 5 })
    expect(parsed).toEqual({ ok: false, key: 'tools.files', wanted: '"off" or "read" or "write"' })
  })

  it('takes a key without a value for absent', () => {
    expect(parseSettings({ 'nodes.url': null, owner: ' ' })).toEqual({
      ok: true,
      values: { 'nodes.url': undefined, owner: undefined },
    })
  })

  it('knows models by name or by where they are', () => {
    const elsewhere = { model: 'big', url: 'https://models.example/v1', keyVariable: 'BIG_KEY' }
    const parsed = parseSettings({ 'models.roles.planner': elsewhere, 'models.fallbacks': ['small', elsewhere] })
    expect(parsed).toEqual({
      ok: true,
      values: { 'models.roles.planner': elsewhere, 'models.fallbacks': [{ model: 'small' }, elsewhere] },
    })
    expect(valueFromText('models.fallbacks', 'small, tiny')).toEqual(['small', 'tiny'])
    expect(parseSetting('models.roles.judge', 'wise')).toEqual({ ok: true, value: { model: 'wise' } })
    for (const wrong of [
      5,
      {},
      { model: 'a', key: 'secret' },
      { model: 'a', url: 'ftp://x' },
      { model: '' },
      [['a']],
    ]) {
      expect(parseSetting('models.roles.worker', wrong).ok).toBe(false)
      expect(parseSetting('models.fallbacks', [wrong]).ok).toBe(false)
    }
  })

  it.each([
    ['tools.mcp.docs', { command: 'npx', args: ['server'] }],
    ['tools.mcp.web', { url: 'https://mcp.example/x', keyVariable: 'KEY' }],
    ['codingAgents.claude-code', { command: '/opt/claude', variables: ['ANTHROPIC_API_KEY'] }],
  ])('knows %s', (key, value) => {
    expect(parseSettings({ [key]: value })).toEqual({ ok: true, values: { [key]: value } })
  })

  it.each([
    ['tools.mcp.bad name', { command: 'npx' }, 'under a name that can be used'],
    ['tools.mcp.docs', { args: [] }, 'neither "command" nor "url" is there'],
    ['tools.mcp.docs', { url: 'ftp://x' }, '"url" is "ftp://x"'],
    ['tools.mcp.docs', { command: 'npx', shell: true }, '"shell" is none of command'],
    ['codingAgents.cursor', { command: 'cursor' }, 'under a name that can be used'],
    ['codingAgents.codex', { command: '' }, '"command" is ""'],
    ['codingAgents.codex', { path: '/x' }, '"path" is none of command, args, variables'],
    ['models.prices', { input: 3_000_000, output: 15 }, '3000000 is too much: prices are in dollars'],
    ['models.prices', { m: { input: 3 } }, 'm: "output" is absent'],
    [
      'models.prices',
      { input: 3, output: 15, cacheWrites: 4 },
      '"cacheWrites" is none of input, output, cachedInput, cacheWrite',
    ],
    ['models.prices', 'three', 'dollars per million tokens'],
    ['models.inputs', ['image', 'video'], 'a list of "image", "pdf", or one for each model'],
    ['models.inputs', [], 'a list of "image", "pdf", or one for each model'],
    ['models.inputs', { m: ['image'], n: 'pdf' }, 'n: is not a list of "image", "pdf"'],
    ['harness.owners', [], 'a list of at least one text'],
    ['tools.approve', ['shell', ''], 'a list of texts'],
    ['storage.plugins', ['../x'], 'a list of names of installed packages'],
    ['consolidation.at', '25:00', 'a time of day'],
    ['tools.shell.interpret', 'yes', 'true or false'],
    ['models.url', 'localhost:11434', 'an address that begins with http'],
    ['embedder.dimensions', 0.5, 'a whole number from 1'],
  ])('refuses %s = %j', (key, value, wanted) => {
    expect(parseSetting(key, value)).toMatchObject({ ok: false, wanted: expect.stringContaining(wanted) })
  })
})

describe('what a person types', () => {
  it.each([
    ['harness.kinds', 'agent, shell', ['agent', 'shell']],
    ['tools.approve', '[]', []],
    ['tools.shell.interpret', 'true', true],
    ['consolidation.decayDays', '7', 7],
    ['models.prices', '{"input": 1, "output": 2}', { input: 1, output: 2 }],
    ['models.inputs', 'image, pdf', ['image', 'pdf']],
    ['models.inputs', '{"m": ["image"], "n": []}', { m: ['image'], n: [] }],
    ['owner', '7', '7'],
    ['plugins.acme.depth', '7', '7'],
  ])('%s %s', (key, text, value) => {
    expect(valueFromText(key, text)).toEqual(value)
    expect(parseSetting(key, value).ok).toBe(true)
  })
})

it('every default can be parsed by its own setting', () => {
  for (const [key, setting] of Object.entries<Setting<unknown>>(settings)) {
    const { default: inForce } = setting
    if (inForce === undefined || (typeof inForce === 'object' && inForce !== null && 'says' in inForce)) continue
    expect([key, setting.parse(inForce)]).toEqual([key, { ok: true, value: inForce }])
  }
})

it('the vault path has two names, and both lead to one setting', () => {
  const names = ['plugins.obsidian-vault.vault_path', 'vault_path']
  for (const name of names) {
    expect(namesOf(name)).toEqual(names)
    expect(findSetting(name)).toBe(settings['plugins.obsidian-vault.vault_path'])
  }
})

it('what one model reads does not hold for another, and one list holds for all', () => {
  const each = { m: ['image'], n: [] } as const
  expect([inputsOf(each, 'm'), inputsOf(each, 'n'), inputsOf(each, 'toString')]).toEqual([['image'], [], []])
  expect([inputsOf(['pdf'], 'm'), inputsOf(undefined, 'm')]).toEqual([['pdf'], []])
})

const command = (inputs?: Parameters<typeof setInputs>[0]['inputs']) => setInputs({ inputs, model: 'm', input: 'pdf' })

it('the command that adds an input keeps what is set', () => {
  expect(command()).toBe(`agentm config set models.inputs '{"m":["pdf"]}'`)
  expect(command(['image'])).toBe('agentm config set models.inputs image,pdf')
  expect(command({ m: ['image'], n: ['pdf'] })).toBe(
    `agentm config set models.inputs '{"m":["image","pdf"],"n":["pdf"]}'`,
  )
})

it('a price of one model does not answer for another, and one price answers for all', () => {
  const [cheap, dear] = [
    { input: 1, output: 2 },
    { input: 3, output: 15 },
  ]
  expect(priceOf({ cheap, dear }, 'dear')).toBe(dear)
  expect(priceOf({ cheap }, 'toString')).toBeUndefined()
  expect(priceOf(dear, 'any')).toBe(dear)
})
