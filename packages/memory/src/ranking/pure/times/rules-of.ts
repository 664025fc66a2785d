/** The rules of a language, made from its words. */
import { type SpansOf, type TimeRule, timeRule } from './time-rule.ts'
import {
  calendar,
  daysAgo,
  inMonth,
  inSeason,
  lastUnits,
  lastWeekday,
  lastWeekend,
  latest,
  months,
  onDay,
  remembered,
  seasons,
  shiftedBack,
  thisSeason,
  type TimeSpan,
  type Unit,
  units,
} from './time-spans.ts'
import { type Meaning, meanings, type TimeWords } from './time-words.ts'

export function rulesOf(words: TimeWords): readonly TimeRule[] {
  return words.says.map(([pattern, meaning]) => {
    const source = pattern.replaceAll(
      /\{(n|unit|month|weekday|season|day|year)\}/g,
      (_, name: string) => `(?<${name}>${sourceOf(name, words)})`,
    )
    return timeRule(source, spansOf(words, meaning), { rank: rankOf(meaning), bounded: words.bounded })
  })
}

/** Dates come before what English says, which is at 0; everything else after it. */
function rankOf(meaning: Meaning): number {
  const place = meanings.indexOf(meaning)
  return place === 0 ? -1 : place
}

/** Every text that names a time in this language matches it. It keeps other texts from being searched for each expression. */
export function signOf(words: TimeWords): RegExp {
  const { sign, bounded, months: names, weekdays, seasons: parts, says } = words
  const inYear = says.flatMap(([pattern, meaning]) => (meaning === 'in year' ? [pattern] : []))
  const years = inYear.map((pattern) => pattern.replaceAll('{year}', sourceOf('year', words)))
  const sources = [sign, ...names, ...weekdays, ...Object.values(parts), ...years].join('|')
  return new RegExp(bounded === undefined ? `(?<!\\p{L})(?:${sources})` : sources, 'u')
}

function sourceOf(name: string, words: TimeWords): string {
  if (name === 'day') return '\\d{1,2}'
  if (name === 'year') return '(?:19|20)\\d{2}'
  if (name === 'n') return ['\\d{1,3}', ...words.numbers.toReversed()].join('|')
  if (name === 'unit') return Object.values(words.units).join('|')
  if (name === 'month') return words.months.toReversed().join('|')
  if (name === 'weekday') return words.weekdays.join('|')
  return Object.values(words.seasons).join('|')
}

interface Named {
  readonly count: number
  readonly unit: Unit
  readonly month: number
  readonly weekday: number
  readonly season: (typeof seasons)[number]
  readonly day: number
  readonly year: number
}

function namedIn(words: TimeWords, { groups = {} }: RegExpExecArray): Named {
  const { n = '1', day = '1', year = '0' } = groups
  const unit = units.find((each) => isOne(words.units[each], groups['unit']))
  const season = seasons.find((each) => isOne(words.seasons[each], groups['season']))
  const spelled = words.numbers.findIndex((each) => isOne(each, n))
  return {
    count: spelled === -1 ? Number(n) : spelled + 1,
    unit: unit ?? 'day',
    month: words.months.findIndex((each) => isOne(each, groups['month'])),
    weekday: words.weekdays.findIndex((each) => isOne(each, groups['weekday'])),
    season: season ?? 'spring',
    day: Number(day),
    year: Number(year),
  }
}

function isOne(source: string, text = ''): boolean {
  return text !== '' && new RegExp(`^(?:${source})$`, 'u').test(text)
}

function spansOf(words: TimeWords, meaning: Meaning): SpansOf {
  return (found, now) => spansFor(meaning, namedIn(words, found), now)
}

function spansFor(meaning: Meaning, named: Named, now: number): TimeSpan[] {
  const { count, unit, month, weekday, season, day, year } = named
  switch (meaning) {
    case 'day before yesterday':
      return daysAgo(now, 2)
    case 'yesterday':
      return daysAgo(now, 1)
    case 'today':
      return daysAgo(now, 0)
    case 'ago':
      return shiftedBack(daysAgo(now, 0), count, unit)
    case 'last units':
      return lastUnits(now, count, unit)
    case 'last unit':
      return calendar(now, unit, -1)
    case 'this unit':
      return calendar(now, unit, 0)
    case 'last weekend':
      return lastWeekend(now)
    case 'last weekday':
      return lastWeekday(now, weekday)
    case 'last season':
      return latest(now, (y) => inSeason(y, season))
    case 'this season':
      return thisSeason(now, season)
    case 'season of year':
      return inSeason(year, season)
    case 'date':
      return onDay(year, month, day)
    case 'day of month':
      return remembered(now, (y) => onDay(y, month, day))
    case 'month of year':
      return inMonth(year, month)
    case 'last month by name':
      return latest(now, (y) => inMonth(y, month))
    case 'in month':
      return remembered(now, (y) => inMonth(y, month))
    case 'in year':
      return months(year, 0, 12)
    default: {
      const [which, length] = meaning.split(' ')
      return calendar(now, units.find((each) => each === length) ?? 'day', which === 'last' ? -1 : 0)
    }
  }
}
