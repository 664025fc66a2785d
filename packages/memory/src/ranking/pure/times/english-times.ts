/** How English names times. */
import { type TimeRule, timeRule as rule } from './time-rule.ts'
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
  type Season,
  shiftedBack,
  thisSeason,
  type Unit,
  units,
  weekBefore,
} from './time-spans.ts'

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const counts = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const day = '(\\d{1,2})(?:st|nd|rd|th)?'
const year = '((?:19|20)\\d{2})'
const count = `(\\d{1,3}|a couple of|a few|an?|${counts.slice(1).join('|')})`
const unit = '(day|week|month|year)'
const weekday = '(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)day'
const season = '(spring|summer|autumn|fall|winter)'

/** In order: text that an earlier rule matched is not read by later rules. */
export const englishTimes: readonly TimeRule[] = [
  rule(`${year}-(\\d{2})-(\\d{2})`, ([, y, m, d]) => onDay(Number(y), Number(m) - 1, Number(d))),
  rule(`${count} ${unit}s? (?:before|prior to) (?:the )?${day}(?: of)? ${month},? ${year}`, ([, n, u, d, m, y]) =>
    shiftedBack(onDay(Number(y), monthOf(m), Number(d)), numberOf(n), unitOf(u)),
  ),
  rule(`${count} ${unit}s? (?:before|prior to) ${month} ${day},? ${year}`, ([, n, u, m, d, y]) =>
    shiftedBack(onDay(Number(y), monthOf(m), Number(d)), numberOf(n), unitOf(u)),
  ),
  rule(`(?:the )?week (?:before|prior to) (?:the )?${day}(?: of)? ${month},? ${year}`, ([, d, m, y]) =>
    weekBefore(onDay(Number(y), monthOf(m), Number(d))),
  ),
  rule(`(?:the )?week (?:before|prior to) ${month} ${day},? ${year}`, ([, m, d, y]) =>
    weekBefore(onDay(Number(y), monthOf(m), Number(d))),
  ),
  rule(`${day}(?: of)? ${month},? ?${year}`, ([, d, m, y]) => onDay(Number(y), monthOf(m), Number(d))),
  rule(`${month} ${day},? ?${year}`, ([, m, d, y]) => onDay(Number(y), monthOf(m), Number(d))),
  rule(`${month},?(?: of)? ${year}`, ([, m, y]) => inMonth(Number(y), monthOf(m))),
  rule(`${year}-(\\d{2})`, ([, y, m]) => inMonth(Number(y), Number(m) - 1)),
  rule(`(\\d{1,2})\\.(\\d{1,2})\\.${year}`, ([, d, m, y]) => onDay(Number(y), Number(m) - 1, Number(d))),
  rule(`${season}(?: of)? ${year}`, ([, s, y]) => inSeason(Number(y), seasonOf(s))),
  rule(`(?:q|quarter )([1-4]) ?(?:of )?${year}`, ([, q, y]) => months(Number(y), Number(q) * 3 - 3, 3)),
  rule(`(?:in|of|during|since|by|throughout|year|early|late|mid|end of) ${year}`, ([, y]) => months(Number(y), 0, 12)),
  rule('(?:the )?day before yesterday', (_, now) => daysAgo(now, 2)),
  rule('yesterday|last night', (_, now) => daysAgo(now, 1)),
  rule('today|tonight|this (?:morning|afternoon|evening)', (_, now) => daysAgo(now, 0)),
  rule(`${count} ${unit}s? ago`, ([, n, u], now) => shiftedBack(daysAgo(now, 0), numberOf(n), unitOf(u))),
  rule(`(?:in |over |during )?(?:the )?(?:last|past) ${count} ${unit}s`, ([, n, u], now) =>
    lastUnits(now, numberOf(n), unitOf(u)),
  ),
  rule('(?:last|past) weekend', (_, now) => lastWeekend(now)),
  rule(`(?:on|last|this past) ${weekday}`, ([, w], now) => lastWeekday(now, weekdayOf(w))),
  rule('(last|this) (week|month|year)', ([, which, u], now) => calendar(now, unitOf(u), which === 'last' ? -1 : 0)),
  rule(`last ${season}`, ([, s], now) => latest(now, (y) => inSeason(y, seasonOf(s)))),
  rule(`this ${season}`, ([, s], now) => thisSeason(now, seasonOf(s))),
  // Spring and fall are words of programs, too.
  rule('in the (summer|autumn|winter)', ([, s], now) => remembered(now, (y) => inSeason(y, seasonOf(s)))),
  rule(`last ${month}`, ([, m], now) => latest(now, (y) => inMonth(y, monthOf(m)))),
  rule(`this ${month}`, ([, m], now) => inMonth(new Date(now).getUTCFullYear(), monthOf(m))),
  rule(`(?:on |the )${day} of ${month}`, ([, d, m], now) => remembered(now, (y) => onDay(y, monthOf(m), Number(d)))),
  rule(`${month} ${day}`, ([, m, d], now) => remembered(now, (y) => onDay(y, monthOf(m), Number(d)))),
  rule(`(?:in|during|of|since|by|early|late|mid|end of)[ -]${month}`, ([, m], now) =>
    remembered(now, (y) => inMonth(y, monthOf(m))),
  ),
]

/** Every rule needs one of these words. Most questions contain none, and then the expensive rules are skipped. */
export const englishSign = `(?:19|20)\\d{2}|(?<![a-z])(?:yesterday|last|past|today|tonight|this|ago|in the (?:summer|autumn|winter)|${month}|${weekday})(?![a-z])`

function monthOf(name = ''): number {
  return monthNames.indexOf(name.slice(0, 3))
}

function weekdayOf(name = ''): number {
  return weekdayNames.indexOf(name.slice(0, 3))
}

function seasonOf(name: string | undefined): Season {
  return name === 'spring' || name === 'summer' || name === 'winter' ? name : 'autumn'
}

function unitOf(name: string | undefined): Unit {
  return units.find((each) => each === name) ?? 'day'
}

const some: Readonly<Record<string, number>> = { a: 1, an: 1, 'a couple of': 2, 'a few': 3 }

function numberOf(written = ''): number {
  const spelled = counts.indexOf(written)
  return some[written] ?? (spelled === -1 ? Number(written) : spelled)
}
