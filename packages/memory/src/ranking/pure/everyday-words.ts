/**
 * Words that most requests to a coding agent are made of. In a small store they look rare, so a note that shares "fix" and "test" with a
 * request would look like an answer. They still rank notes; only as a sign of an answer they count for less.
 */
import { termsOf } from './tokenize.ts'

/** How much of a word's rarity counts as a sign of an answer, 0 to 1. */
export function tellingOf(stem: string): number {
  if (isSmallNumber(stem) || holdsStem(everyday, stem)) return 0.3
  return holdsStem(parts, stem) ? 0.6 : 1
}

/** Lines, counts and short codes; ports and years have four digits. */
function isSmallNumber(stem: string): boolean {
  return /^\d{1,3}$/.test(stem)
}

const everyday = byStart(`
  add adjust allow amend answer apply append ask avoid begin break bring build bump call cause change check clean clear close
  comment commit compare compile complete configure connect consider continue convert copy correct count cover crash create
  cut debug decide define delete deploy describe design disable document double download draw drop edit enable end ensure
  exist expect explain export extend extract fail fetch figure fill find finish fix follow force format forget generate get
  give go grow guess handle happen help hide hold hope ignore implement import improve include increase initialize inline
  insert inspect install integrate introduce investigate join keep know learn leave left let like list load log look make manage
  mark mean measure merge migrate miss mock move name need note notice open optimize order parse pass patch pick place plan
  please point prefer prepare print propose provide pull push put raise reach read rebase rebuild receive reduce refactor
  release reload remember remove rename render reorder replace report request require reset resolve restart return reuse
  revert review rewrite run save say scan search see seem select send separate set setup share ship shorten show simplify
  skip sort speed split squash stand start stay stop store suggest summarize summarise support swap switch take talk tell
  test think throw tidy touch trace track translate trigger try turn type understand undo update upgrade use validate
  verify view wait want warn watch wonder work worry wrap write yes
  able above actual again already alright always anything anyone anybody bad basic below best better big bit bug busy case certain
  cleaner clear close code command common complete computer current currently day default different difficult done early easy
  edge empty enough entire error even ever every everything everybody exact example exception existing extra failing failure false
  fast faster fault feature few file fine first flag flaky folder directory format free full function general git github good
  great green half hand hard hello here hey hi high idea important input inside instead issue item job kind large last late
  later latest less level line little local long lot low main many maybe method minute missing mistake moment module month more
  most much name near necessary never new next nice nobody none normal nothing null number object ok okay old once one only open
  option other otherwise output own package page param parameter argument part path people perhaps piece place possible present
  pretty previous pr private probably problem process project proper public quick quickly quite random ready real really reason
  recent red related repo repository rest result right root row run safe second several short side similar simple single
  size slow slowly small something somebody someone somewhere soon sort stack state status step still string structure stuff
  style subject sure surely system task team test text thank thanks thing ticket time today together tomorrow tonight top total
  trouble true two type typo undefined unit unused usage user usual value variable various version warning way week well whole
  whether without word work wrong year yesterday yet zero
  array boolean branch callback class client column component config configuration console const constant content context
  coverage data database diff endpoint env environment field fixture form header helper http html css id index int integer
  interface js json key lib library lint linter log loop main map markdown message model node npm number object param parser
  pipeline port promise pull query readme readable record regex request response route script server service settings src
  string table template todo token tool ts tsx jsx py rs java md txt yml yaml sh api app application async await ui url web
  window button menu screen table modal dialog label
  at line caused trace traceback recent call module anonymous internal processticksandrejections task_queues received expected
  panicked backtrace unwrap com org java thread exit code errno err
  bitte kannst können mach mache machen weiter test tests datei funktion fehler code und oder der die das ein eine einen im in den dem
  des mit für auf ist sind nicht wie was warum wo wir ich du es schreib schreibe füge hinzu ändere änderung änderungen korrigiere
  repariere zeig zeige führe aus neu starte benenne um beheben behebe prüfe erkläre lösche entferne
  le la les un une des du de et ou dans pour avec sur est sont pas que qui quoi comment pourquoi il je tu nous vous mon ma mes ce cette
  ajoute ajouter corrige corriger fichier fonction erreur test tests peux plait plaît vous écris écrire renomme explique supprime
  montre lance relance continuer
  el los las uno una unos y o en por para con sobre es son no como cómo qué quien donde yo tú nosotros mi mis este esta añade agrega
  arregla corrige archivo función error prueba pruebas puedes favor escribe cambia muestra ejecuta elimina borra explica renombra
  do da dos das um uma e ou no na nos nas por com é são não adicione corrija arquivo função erro teste testes escreva mostre execute
  remova explique renomeie
  il lo gli uno e di che per con su è sono non aggiungi correggi file funzione errore test scrivi mostra esegui rimuovi spiega rinomina
  исправь добавь тест тесты файл функцию функция ошибку ошибка напиши покажи запусти удали объясни переименуй продолжай пожалуйста код
  и в на с для не что как почему где это
`)

/** What programs are usually made of. A request names one of them nearly always. */
const parts = byStart(`
  parser lexer tokenizer compiler interpreter formatter linter renderer router cache queue worker scheduler session login logout auth
  authentication authorization password upload download importer exporter sync dashboard notification websocket socket stream mailer email mail
  indexer index search payment invoice order customer cart product account profile admin ticket checkout billing report image video audio
  upload migration validator validation installer updater plugin extension adapter driver wrapper proxy gateway webhook cron daemon thread lock
  mutex race leak timeout retry backoff memory cpu disk network tls certificate deployment container docker kubernetes image cluster node
  staging production ci sidebar header footer navbar tooltip toast checkbox dropdown icon layout theme color colour font animation
  event listener hook state store reducer selector context provider controller view template factory builder visitor iterator generator
  collection list map set tree graph heap stack buffer byte char float double decimal date timestamp timezone locale currency
  snapshot benchmark profile profiler trace metric alert monitor health encoding charset permission role policy secret credential
  config loader sort filter pagination cursor page scroll drag drop click submit input keyboard mouse
  address document message comment team client endpoint schema query transaction connection pool replica shard partition
`)

/**
 * Words by the two letters that they and their stems begin with. Only a few are cut to stems for each question, because cutting all of them
 * would take seven milliseconds whenever a process begins.
 */
function byStart(words: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const word of words.split(/\s+/))
    for (const part of word.split('_')) {
      const start = startOf(part)
      const alike = found.get(start)
      if (alike === undefined) found.set(start, [word])
      else alike.push(word)
    }
  return found
}

function holdsStem(words: ReadonlyMap<string, readonly string[]>, stem: string): boolean {
  const alike = words.get(startOf(stem))
  return alike !== undefined && termsOf(alike.join(' ')).some((term) => term.stem === stem)
}

/** Without accents, as stems are. */
function startOf(word: string): string {
  const start = word.slice(0, 2)
  return /^[a-z]*$/.test(start) ? start : start.normalize('NFD').replaceAll(/\p{M}/gu, '')
}
