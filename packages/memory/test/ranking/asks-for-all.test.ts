import { describe, expect, it } from 'vitest'
import { asksForAll } from '../../src/ranking/pure/asks-for-all.ts'

describe('asksForAll', () => {
  it.each([
    'which ports did we assign?',
    'Which services use PostgreSQL?',
    'what open questions do we have about billing?',
    'list all decisions about caching',
    'show me every incident in Frankfurt',
    'all the people who own a service',
    'list our release rules',
    'Welche Dienste nutzen Redis?',
    'alle Entscheidungen zu Logs',
    'quels ports avons-nous attribués ?',
    'toutes les décisions sur le cache',
    '¿cuáles puertos asignamos?',
    'todas las decisiones',
    'quali servizi usano Redis?',
    'tutte le decisioni',
    'quais serviços usam Redis?',
    'welke diensten gebruiken Redis?',
    'jakie usługi używają Redisa?',
    'какие сервисы используют Redis?',
    'які сервіси використовують Redis?',
    'hangi servisler Redis kullanıyor?',
    '哪些服务使用 Redis？',
    'すべての決定',
    '모든 결정',
  ])('%j', (text) => {
    expect(asksForAll(text)).toBe(true)
  })

  it.each([
    'which port does staging use?',
    'What does the worker do?',
    'what is the status of billing?',
    'which process uses the port?',
    'which status does a plan have?',
    'why are tests slow?',
    'who owns billing?',
    'Welcher Port gilt für Staging?',
    'Welche Version läuft auf Staging?',
    'quel port utilise staging ?',
    '¿qué puerto usa staging?',
    'quale porta usa staging?',
    'welke poort gebruikt staging?',
    'какой порт у staging?',
    'staging 用哪个端口？',
    '',
  ])('not %j', (text) => {
    expect(asksForAll(text)).toBe(false)
  })
})
