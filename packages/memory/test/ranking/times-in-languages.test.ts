import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { localTime } from '../../src/recall/local-time.ts'
import { asksForLatest, closeness, timeSpans } from '../../src/ranking/pure/time-expressions.ts'

// A Wednesday.
const now = Date.UTC(2024, 4, 15, 12)

function daysOf(text: string): string[] {
  return timeSpans(text, now).map(({ from, to }) => `${date(from)}..${date(to - 1)}`)
}

function date(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

const yesterday = '2024-05-14..2024-05-14'
const beforeYesterday = '2024-05-13..2024-05-13'
const twoWeeksAgo = '2024-04-27..2024-05-05'
const lastWeek = '2024-05-06..2024-05-12'
const lastTuesday = '2024-05-14..2024-05-14'
const lastMonth = '2024-04-01..2024-04-30'
const thisSpring = '2024-03-01..2024-05-31'
const marches = ['2024-03-01..2024-03-31', '2023-03-01..2023-03-31', '2022-03-01..2022-03-31']
const march2023 = '2023-03-01..2023-03-31'
const eighthOfMay = '2023-05-08..2023-05-08'
const lastTenDays = '2024-05-06..2024-05-15'
const may8 = ['2024-05-08..2024-05-08', '2023-05-08..2023-05-08', '2022-05-08..2022-05-08']

/** Each language says the same. `undefined` where it has no such short form. */
const sayings: Readonly<Record<string, readonly (readonly [string, string | readonly string[]])[]>> = {
  English: [
    ['what did we decide yesterday?', yesterday],
    ['the build two weeks ago', twoWeeksAgo],
    ['a couple of weeks ago', twoWeeksAgo],
    ['last Tuesday', lastTuesday],
    ['this spring', thisSpring],
    ['in March', marches],
    ['on 08.05.2023', eighthOfMay],
  ],
  German: [
    ['Was haben wir gestern beschlossen?', yesterday],
    ['vorgestern', beforeYesterday],
    ['vor zwei Wochen', twoWeeksAgo],
    ['letzte Woche', lastWeek],
    ['letzten Dienstag', lastTuesday],
    ['im letzten Monat', lastMonth],
    ['in den letzten 10 Tagen', lastTenDays],
    ['diesen Frühling', thisSpring],
    ['im März', marches],
    ['im März 2023', march2023],
    ['am 8. Mai 2023', eighthOfMay],
    ['am 8. Mai', may8],
  ],
  French: [
    ["qu'avons-nous décidé hier ?", yesterday],
    ['avant-hier', beforeYesterday],
    ['il y a deux semaines', twoWeeksAgo],
    ['la semaine dernière', lastWeek],
    ['mardi dernier', lastTuesday],
    ['le mois dernier', lastMonth],
    ['ces 10 derniers jours', lastTenDays],
    ['ce printemps', thisSpring],
    ['en mars', marches],
    ['mars 2023', march2023],
    ['le 8 mai 2023', eighthOfMay],
    ['le 8 mai', may8],
  ],
  Spanish: [
    ['¿qué decidimos ayer?', yesterday],
    ['anteayer', beforeYesterday],
    ['hace dos semanas', twoWeeksAgo],
    ['la semana pasada', lastWeek],
    ['el martes pasado', lastTuesday],
    ['el mes pasado', lastMonth],
    ['en los últimos 10 días', lastTenDays],
    ['esta primavera', thisSpring],
    ['en marzo', marches],
    ['marzo de 2023', march2023],
    ['el 8 de mayo de 2023', eighthOfMay],
    ['el 8 de mayo', may8],
  ],
  Italian: [
    ['cosa abbiamo deciso ieri?', yesterday],
    ['l’altro ieri', beforeYesterday],
    ['due settimane fa', twoWeeksAgo],
    ['la settimana scorsa', lastWeek],
    ['martedì scorso', lastTuesday],
    ['il mese scorso', lastMonth],
    ['negli ultimi 10 giorni', lastTenDays],
    ['questa primavera', thisSpring],
    ['a marzo', marches],
    ['marzo 2023', march2023],
    ["l'8 maggio 2023", eighthOfMay],
    ['dal 8 maggio', may8],
  ],
  Portuguese: [
    ['o que decidimos ontem?', yesterday],
    ['anteontem', beforeYesterday],
    ['há duas semanas', twoWeeksAgo],
    ['duas semanas atrás', twoWeeksAgo],
    ['na semana passada', lastWeek],
    ['terça passada', lastTuesday],
    ['no mês passado', lastMonth],
    ['nos últimos 10 dias', lastTenDays],
    ['nesta primavera', thisSpring],
    ['em março', marches],
    ['março de 2023', march2023],
    ['8 de maio de 2023', eighthOfMay],
    ['em 8 de maio', may8],
  ],
  Dutch: [
    ['wat hebben we gisteren besloten?', yesterday],
    ['eergisteren', beforeYesterday],
    ['twee weken geleden', twoWeeksAgo],
    ['vorige week', lastWeek],
    ['afgelopen dinsdag', lastTuesday],
    ['vorige maand', lastMonth],
    ['de afgelopen 10 dagen', lastTenDays],
    ['dit voorjaar', thisSpring],
    ['in maart', marches],
    ['maart 2023', march2023],
    ['8 mei 2023', eighthOfMay],
    ['op 8 mei', may8],
  ],
  Polish: [
    ['co ustaliliśmy wczoraj?', yesterday],
    ['przedwczoraj', beforeYesterday],
    ['dwa tygodnie temu', twoWeeksAgo],
    ['w zeszłym tygodniu', lastWeek],
    ['w zeszły wtorek', lastTuesday],
    ['w ubiegłym miesiącu', lastMonth],
    ['w ciągu ostatnich 10 dni', lastTenDays],
    ['tej wiosny', thisSpring],
    ['w marcu', marches],
    ['w marcu 2023', march2023],
    ['8 maja 2023', eighthOfMay],
    ['8 maja', may8],
  ],
  Russian: [
    ['что мы решили вчера?', yesterday],
    ['позавчера', beforeYesterday],
    ['две недели назад', twoWeeksAgo],
    ['на прошлой неделе', lastWeek],
    ['в прошлый вторник', lastTuesday],
    ['в прошлом месяце', lastMonth],
    ['за последние 10 дней', lastTenDays],
    ['этой весной', thisSpring],
    ['в марте', marches],
    ['в марте 2023', march2023],
    ['8 мая 2023', eighthOfMay],
    ['8 мая', may8],
  ],
  Ukrainian: [
    ['що ми вирішили вчора?', yesterday],
    ['позавчора', beforeYesterday],
    ['два тижні тому', twoWeeksAgo],
    ['минулого тижня', lastWeek],
    ['минулого вівторка', lastTuesday],
    ['минулого місяця', lastMonth],
    ['за останні 10 днів', lastTenDays],
    ['цієї весни', thisSpring],
    ['у березні', marches],
    ['у березні 2023', march2023],
    ['8 травня 2023', eighthOfMay],
    ['8 травня', may8],
  ],
  Turkish: [
    ['dün ne kararlaştırdık?', yesterday],
    ['evvelsi gün', beforeYesterday],
    ['iki hafta önce', twoWeeksAgo],
    ['geçen hafta', lastWeek],
    ['geçen salı', lastTuesday],
    ['geçen ay', lastMonth],
    ['son 10 günde', lastTenDays],
    ['bu ilkbahar', thisSpring],
    ['martta', marches],
    ['Mart 2023', march2023],
    ['8 Mayıs 2023', eighthOfMay],
    ['8 Mayıs', may8],
  ],
  Chinese: [
    ['我们昨天决定了什么？', yesterday],
    ['前天', beforeYesterday],
    ['两周前', twoWeeksAgo],
    ['上周的会议', lastWeek],
    ['上周二', lastTuesday],
    ['上个月', lastMonth],
    ['最近10天', lastTenDays],
    ['今年春天', thisSpring],
    ['三月', marches],
    ['2023年3月', march2023],
    ['2023年5月8日', eighthOfMay],
    ['5月8号', may8],
  ],
  Japanese: [
    ['昨日何を決めましたか', yesterday],
    ['おととい', beforeYesterday],
    ['二週間前', twoWeeksAgo],
    ['先週の会議', lastWeek],
    ['先週の火曜日', lastTuesday],
    ['先月', lastMonth],
    ['過去10日間', lastTenDays],
    ['今年の春', thisSpring],
    ['3月に', marches],
    ['2023年3月', march2023],
    ['2023年5月8日', eighthOfMay],
    ['5月8日', may8],
  ],
  Korean: [
    ['어제 무엇을 결정했나요?', yesterday],
    ['그저께', beforeYesterday],
    ['2주 전', twoWeeksAgo],
    ['지난주에', lastWeek],
    ['지난 화요일', lastTuesday],
    ['지난달', lastMonth],
    ['최근 10일', lastTenDays],
    ['이번 봄', thisSpring],
    ['3월에', marches],
    ['2023년 3월', march2023],
    ['2023년 5월 8일', eighthOfMay],
    ['5월 8일', may8],
  ],
}

describe.each(Object.entries(sayings))('timeSpans in %s', (_, table) => {
  it.each(table)('reads %j as %j', (text, spans) => {
    expect(daysOf(text)).toEqual([spans].flat())
  })

  it.each(table)('reads %j also within a longer text', (text, spans) => {
    expect(daysOf(`API: ${text}, (staging)`)).toEqual([spans].flat())
  })
})

describe('timeSpans', () => {
  const all = Object.values(sayings).flat()

  it('finds only real spans in any mixture of languages', () => {
    const part = fc.oneof(fc.constantFrom(...all.map(([text]) => text)), fc.string({ maxLength: 6 }))
    fc.assert(
      fc.property(fc.array(part), fc.date({ noInvalidDate: true }), (parts, at) => {
        for (const { from, to } of timeSpans(parts.join(' '), at.getTime())) expect(to).toBeGreaterThan(from)
      }),
    )
  })

  it('does not find a time that is only the beginning or the end of a longer word', () => {
    const spaced = Object.entries(sayings).filter(([language]) => !['Chinese', 'Japanese', 'Korean'].includes(language))
    const oneWord = spaced.flatMap(([, table]) => table.flatMap(([text]) => (/^\p{L}+$/u.test(text) ? [text] : [])))
    expect(oneWord.length).toBeGreaterThan(5)
    for (const word of oneWord) for (const longer of [`${word}xq`, `xq${word}`]) expect(daysOf(longer)).toEqual([])
  })
})

describe('the time zone of this machine', () => {
  const zone = process.env['TZ']
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })

  it.each([
    ['Pacific/Auckland', '2024-05-16..2024-05-16'],
    ['America/Los_Angeles', '2024-05-15..2024-05-15'],
  ])('decides what today is: %s', (name, today) => {
    process.env['TZ'] = name
    const evening = Date.UTC(2024, 4, 15, 20)
    const spans = timeSpans('today', evening, localTime)
    expect(spans.map(({ from, to }) => `${date(from)}..${date(to - 1)}`)).toEqual([today])
    expect(closeness(evening, spans, localTime)).toBe(1)
    // A note with a date and no time was written on that date, wherever it is read.
    expect(closeness(Date.parse(today.slice(0, 10)), spans, localTime)).toBe(1)
  })
})

describe('what is no time', () => {
  it.each([
    'May I march to the second floor?',
    'a May fly in the spring framework',
    'the second run of the fall-back',
    'Hier ist der Port von Staging.',
    'смартфон и маркетинг',
    'мартини и августин',
    'marchandise et marsouin',
    'der Marschall und die Maisernte',
    'el marco de mayoristas',
    'sette servizi e una fase',
    'la segunda versión y la terça parte',
    'ocakbaşı ve martı',
    'de meisjes en de weekdag',
    '三个月的计划和日本',
    'port 20245 and error E2023',
    'the on-call day and the week view',
    'mark, sept, decimal and october-fest',
  ])('%j', (text) => {
    expect(daysOf(text)).toEqual([])
  })
})

describe('asksForLatest', () => {
  it.each([
    ['Welcher Port gilt jetzt?', true],
    ['qui gère actuellement la facturation ?', true],
    ['¿qué puerto usamos ahora?', true],
    ['какой порт сейчас используется?', true],
    ['现在用哪个端口？', true],
    ['現在のポートは？', true],
    ['지금 포트는?', true],
    ['снег и теперьки', false],
    ['Ahornsirup', false],
  ])('%j: %s', (text, latest) => {
    expect(asksForLatest(text)).toBe(latest)
  })
})
