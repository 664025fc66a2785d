/** How Turkish names times. Prepositions are endings there, so a month counts only with such an ending. */
import type { TimeWords } from './time-words.ts'

const inside = "['’]?(?:ta|te|da|de|tan|ten|dan|den)"

export const turkish: TimeWords = {
  sign: 'dün|evvelsi|önceki|bugün|önce|son |geçen|bu ',
  months: [
    'ocak',
    'şubat',
    'mart',
    'nisan',
    'mayıs',
    'haziran',
    'temmuz',
    'ağustos',
    'eylül',
    'ekim',
    'kasım',
    'aralık',
  ],
  weekdays: ['pazar', 'pazartesi', 'salı', 'çarşamba', 'perşembe', 'cuma', 'cumartesi'],
  seasons: { spring: 'ilkbahar|bahar', summer: 'yaz', autumn: 'sonbahar|güz', winter: 'kış' },
  units: {
    day: 'gün(?:kü|den)?',
    week: 'hafta(?:ki|dan|nın)?',
    month: 'ay(?:ki|dan|ın)?',
    year: '(?:yıl|sene)(?:ki|dan)?',
  },
  numbers: ['bir', 'iki', 'üç', 'dört', 'beş', 'altı', 'yedi', 'sekiz', 'dokuz', 'on', 'on bir', 'on iki'],
  says: [
    ['{day} {month} {year}', 'date'],
    ['{month} {year}', 'month of year'],
    [`{day} {month}(?:${inside})?`, 'day of month'],
    [`{year}(?:${inside}| yılında)`, 'in year'],
    ['evvelsi gün|önceki gün', 'day before yesterday'],
    ['dün', 'yesterday'],
    ['bugün', 'today'],
    ['{n} {unit} önce', 'ago'],
    ['son {n} {unit}(?:da|de)?', 'last units'],
    ['geçen hafta ?sonu', 'last weekend'],
    ['geçen {unit}', 'last unit'],
    ['bu {unit}', 'this unit'],
    ['geçen {weekday}', 'last weekday'],
    ['geçen {season}', 'last season'],
    ['bu {season}', 'this season'],
    [`{month}(?:${inside}| ayında| ayından)`, 'in month'],
  ],
}
