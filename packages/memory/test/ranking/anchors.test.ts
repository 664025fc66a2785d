import { describe, expect, it } from 'vitest'
import { anchorsIn } from '../../src/ranking/pure/anchors.ts'

describe('anchorsIn', () => {
  it.each([
    ['What did we use before the cluster migration?', 'before', 'cluster migration'],
    ['how was it done prior to release 4.0?', 'before', 'release 4.0'],
    ['what changed since the audit', 'after', 'audit'],
    ['which linter after our merger?', 'after', 'merger'],
    ['Was galt vor der Migration?', 'before', 'Migration'],
    ['Was gilt seit dem Umzug?', 'after', 'Umzug'],
    ['quel port avant la migration ?', 'before', 'migration'],
    ["quel port depuis l'audit ?", 'after', 'audit'],
    ['¿qué puerto antes de la migración?', 'before', 'migración'],
    ['¿qué puerto después del traslado?', 'after', 'traslado'],
    ['quale porta prima della migrazione?', 'before', 'migrazione'],
    ['quale porta dopo il trasloco?', 'after', 'trasloco'],
    ['que porta antes da migração?', 'before', 'migração'],
    ['welke poort na de migratie?', 'after', 'migratie'],
    ['jaki port przed migracją?', 'before', 'migracją'],
    ['какой порт после миграции?', 'after', 'миграции'],
    ['який порт після міграції?', 'after', 'міграції'],
    ['migrasyondan önce hangi port?', 'before', 'migrasyon'],
    ['迁移之前用哪个端口？', 'before', '迁移'],
    ['移行の前のポートは？', 'before', '移行'],
    ['마이그레이션 이후 포트는?', 'after', '마이그레이션'],
  ] as const)('%j: %s %s', (text, side, name) => {
    const anchors = anchorsIn(text)
    expect(anchors.map((anchor) => anchor.side)).toEqual([side])
    expect(anchors[0]?.names).toContain(name)
  })

  it.each([
    'since March',
    'before 8 May 2023',
    'vor zwei Wochen',
    'after last week',
    'depuis hier',
    'what is beforehand',
    'how long did they date before getting married',
    'which car after his old one broke down',
    '',
  ])('finds no event in %j', (text) => {
    expect(anchorsIn(text)).toEqual([])
  })
})
