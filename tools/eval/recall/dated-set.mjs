// @ts-check
/**
 * Notes whose day stands only in a field or in the file name, and 200 questions that name it: in English as people write it, as
 * numbers, and in thirteen other languages. The texts say nothing about the day.
 */
import { randomFrom } from './random-from.mjs'

/** @typedef {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledNote} Note */
/** @typedef {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledQuestion} Query */
/** @typedef {{ readonly y: number, readonly m: number, readonly d: number }} Day */

const notes = 150
const questions = 200

const subjects = [
  ['Hiring', 'We offered the second candidate the position and asked Nadia to prepare the contract.'],
  ['Office move', 'The lease of the new rooms starts in autumn; Jonas looks for a mover.'],
  ['Pricing', 'The small plan stays free, and large teams pay per seat.'],
  ['Garden', 'Planted tomatoes and beans, and repaired the fence behind the shed.'],
  ['Billing service', 'Invoices are now sent by a queue, because the old job ran out of memory.'],
  ['Search', 'The index is rebuilt every night instead of on each write.'],
  ['Book club', 'Read the first chapters and chose what to read next.'],
  ['Retrospective', 'Fewer meetings, shorter reviews, and one person on call instead of two.'],
  ['Doctor', 'Blood pressure is fine; come back when the knee hurts again.'],
  ['Roadmap', 'Offline mode goes first, the import of old archives comes after it.'],
  ['Kitchen', 'The new oven needs a stronger fuse, the electrician will call.'],
  ['Incident', 'The cache answered with old sessions until it was restarted by hand.'],
  ['Budget', 'Travel is cut by half and the savings pay for two more machines.'],
  ['Security review', 'Tokens expire after a day and are no longer written to the logs.'],
  ['Holiday', 'We take the train to the sea and rent bicycles there.'],
]

/** Month names as they are written after a day, and in "of the month" where that differs. */
const languages = /** @type {const} */ ({
  german: [
    'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    'Was haben wir am D. M Y entschieden?',
    'Notizen vom M Y',
  ],
  french: [
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    "Qu'avons-nous décidé le D M Y ?",
    'notes de M Y',
  ],
  spanish: [
    'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
    '¿Qué decidimos el D de M de Y?',
    'notas de M de Y',
  ],
  italian: [
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
    'Che cosa abbiamo deciso il D M Y?',
    'note di M Y',
  ],
  portuguese: [
    'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    'O que decidimos em D de M de Y?',
    'notas de M de Y',
  ],
  dutch: [
    'januari februari maart april mei juni juli augustus september oktober november december',
    'Wat hebben we op D M Y besloten?',
    'notities van M Y',
  ],
  swedish: [
    'januari februari mars april maj juni juli augusti september oktober november december',
    'Vad bestämde vi den D M Y?',
    'anteckningar från M Y',
  ],
  polish: [
    'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
    'Co ustaliliśmy D M Y?',
    undefined,
  ],
  russian: [
    'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
    'Что мы решили D M Y года?',
    undefined,
  ],
  ukrainian: [
    'січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня',
    'Що ми вирішили D M Y року?',
    undefined,
  ],
  turkish: [
    'Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık',
    'D M Y tarihinde neye karar verdik?',
    'M Y notları',
  ],
  finnish: [
    'tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta',
    'Mitä päätimme D. M Y?',
    undefined,
  ],
  hungarian: [
    'január február március április május június július augusztus szeptember október november december',
    'Mit döntöttünk Y. M D-én?',
    'Y. M jegyzetei',
  ],
  korean: ['1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월', 'Y년 M D일에 무엇을 결정했나요?', 'Y년 M 메모'],
})

const english = 'January February March April May June July August September October November December'
const englishDay = [
  'What did we decide on D M Y?',
  'what happened on M D, Y',
  'notes of the Dth of M Y',
  'Y-0M-0D',
  'entry from 0D.0M.Y',
]
const englishMonth = ['notes of M Y', 'What did we write in M Y?', 'Y-0M']

/** @param {number} seed @returns {import('../recall.mjs').LabelledSet} */
export function datedSet(seed) {
  const random = randomFrom(seed)
  /** @type {{ note: Note, day: Day }[]} */
  const dated = Array.from({ length: notes }, (_, i) => {
    const day = { y: 2022 + random.below(4), m: 1 + random.below(12), d: 1 + random.below(28) }
    const [title = '', text = ''] = random.pick(subjects)
    return { note: { id: `n${i + 1}`, title, text, file: fileOf({ title, text }, day, i) }, day }
  })
  /** @type {Query[]} */
  const queries = []
  /** @param {string} kind @param {string} pattern @param {string} months */
  const ask = (kind, pattern, months) => {
    const { day } = random.pick(dated)
    const isDay = pattern.includes('D')
    const fits = (/** @type {Day} */ { y, m, d }) => y === day.y && m === day.m && (!isDay || d === day.d)
    const gold = dated.flatMap((each) => (fits(each.day) ? [each.note.id] : []))
    queries.push({
      id: `q${queries.length + 1}`,
      text: written(pattern, months, day),
      gold,
      kind,
    })
  }
  while (queries.length < questions / 2) {
    for (const pattern of englishDay) ask('english day', pattern, english)
    for (const pattern of englishMonth) ask('english month', pattern, english)
  }
  while (queries.length < questions) {
    const [months, ofDay, ofMonth] =
      languages[random.pick(/** @type {(keyof typeof languages)[]} */ (Object.keys(languages)))]
    ask('other languages', random.below(3) === 0 && ofMonth !== undefined ? ofMonth : ofDay, months)
  }
  return {
    name: `dated, seed ${seed}`,
    corpus: dated.map(({ note }) => note),
    queries: queries.slice(0, questions),
  }
}

/** A note as a person keeps it: the day in one of two fields, or only in the file name. @param {{ title: string, text: string }} note @param {Day} day @param {number} i */
function fileOf({ title, text }, { y, m, d }, i) {
  const iso = `${y}-${two(m)}-${two(d)}`
  const body = `# ${title}\n\n${text}\n`
  if (i % 3 === 0) return { path: `Journal/${iso} ${title}.md`, text: body }
  return { path: `Journal/${title} ${i}.md`, text: `---\n${i % 3 === 1 ? 'date' : 'created'}: ${iso}\n---\n\n${body}` }
}

/** @param {string} pattern @param {string} months @param {Day} day */
function written(pattern, months, { y, m, d }) {
  const parts = {
    Y: String(y),
    M: months.split(' ')[m - 1] ?? '',
    D: String(d),
    '0M': two(m),
    '0D': two(d),
    Dth: ordinal(d),
  }
  // Only letters that stand alone are places: "M" in "Mitä" is not.
  return pattern.replaceAll(
    /0[MD]|Dth|(?<!\p{L})[YMD](?=$|[^\p{L}]|년|일)/gu,
    (place) => parts[/** @type {keyof typeof parts} */ (place)],
  )
}

/** @param {number} d */
function ordinal(d) {
  const ending = { 1: 'st', 2: 'nd', 3: 'rd', 21: 'st', 22: 'nd', 23: 'rd' }[d] ?? 'th'
  return `${d}${ending}`
}

/** @param {number} value */
function two(value) {
  return String(value).padStart(2, '0')
}
