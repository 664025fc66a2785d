import { describe, expect, it } from 'vitest'
import { analyzeNote, analyzeQuery, lexicalWeights, rankLexical } from '../../src/ranking/pure/rank-lexical.ts'
import { languageOf } from '../../src/ranking/pure/language-of.ts'
import { questionTerms } from '../../src/ranking/pure/question-terms.ts'
import { termsOf } from '../../src/ranking/pure/tokenize.ts'

/** What an index knows of these notes. */
function corpusOf(...texts: readonly string[]) {
  const notes = texts.map((text) => new Set(termsOf(text, languageOf(text)).map(({ stem }) => stem)))
  return {
    documents: notes.length,
    averageLength: 10,
    documentFrequency: (stem: string) => notes.filter((note) => note.has(stem)).length,
  }
}

function scoreOf(question: string, text: string): number {
  return rankLexical(analyzeQuery(question, corpusOf(text, 'Nothing of it is here.')), analyzeNote({ title: '', text }))
    .score
}

describe('languageOf', () => {
  it.each([
    ['The meeting is about the contracts of our partners in Los Angeles and São Paulo.', undefined],
    ['Kubernetes upgrade checklist', undefined],
    ['Wir haben die Verträge mit den Partnern besprochen.', 'german'],
    ['We hebben de contracten met de partners besproken.', 'dutch'],
    ['Nous avons relu les contrats de nos partenaires.', 'french'],
    ['Hemos revisado los contratos con los socios.', 'spanish'],
    ['Faturaları dün gönderdik.', 'turkish'],
    ['Laskut lähetettiin eilen, enempää emme vielä tiedä.', 'finnish'],
  ])('of %j is %j', (text, name) => {
    expect(languageOf(text)?.name).toBe(name)
  })
})

describe('a question in other forms of the same words', () => {
  it.each([
    ['german', 'Wer prüft den Vertrag?', 'Wir haben die Verträge gestern geprüft.'],
    ['dutch', 'Wie gaat de factuur versturen?', 'We hebben de facturen gisteren verstuurd.'],
    ['swedish', 'Vem skickar en faktura?', 'Vi skickade fakturorna och det var bra.'],
    ['french', 'Qui envoie un journal ?', 'Nous avons envoyé les journaux à nos clients.'],
    ['spanish', '¿Quién borra una habitación?', 'Ayer borraron las habitaciones de los clientes.'],
    ['italian', 'Chi controlla la banca?', 'Abbiamo controllato le banche con i colleghi.'],
    ['portuguese', 'Quem verifica a reunião?', 'Nós verificamos as reuniões com os colegas.'],
    ['polish', 'Kto podpisuje umowę?', 'Podpisaliśmy umowy z klientem i nie tylko.'],
    ['czech', 'Kdo kontroluje smlouvu?', 'Kontrolovali jsme smlouvy se zákazníkem.'],
    ['hungarian', 'Ki küldi el a számlát?', 'Elküldtük a számlákat és a többit is.'],
    ['turkish', 'fatura ne zaman gönderiliyor?', 'Faturaları dün gönderdik ve bir şey kalmadı.'],
    ['finnish', 'Kuka lähettää sopimuksen?', 'Lähetimme sopimukset eilen ja se oli hyvä.'],
    ['russian', 'Кто проверяет договор?', 'Мы проверили договоры.'],
    ['ukrainian', 'Хто перевіряє договір?', 'Ми перевірили договори.'],
    ['korean', '계약서는 누가 번역하나요?', '계약서를 번역했습니다.'],
  ])('finds the note in %s', (_, question, note) => {
    const found = analyzeQuery(question, corpusOf(note))
    const { matched } = rankLexical(found, analyzeNote({ title: '', text: note }))
    expect(matched.whole.filter((is) => is === 1).length).toBeGreaterThanOrEqual(2)
  })

  it('finds a part of a long word that is written together', () => {
    const note = 'Wir haben die Marketingbudgets für das Jahr beschlossen.'
    expect(scoreOf('Marketing', note)).toBeGreaterThan(0)
    expect(scoreOf('das Budget für Marketing', note)).toBeGreaterThan(scoreOf('Marketing', note))
  })

  it('finds an English name in a note of another language', () => {
    expect(scoreOf('What about Kubernetes?', 'Wir haben Kubernetes auf den Servern installiert.')).toBeGreaterThan(0)
  })

  it('asks of English notes what it would ask without other languages', () => {
    const known = corpusOf('The policies of the police were changed last year.')
    expect(questionTerms('policies of the police', known).flatMap(({ also }) => also)).toEqual([])
  })
})

const spelledLike = (word: string) => (word === 'shceduelr' ? ['schedules', 'scheduler', 'scheduling'] : [])

describe('a mistyped word', () => {
  const note = 'Restart the scheduler after the certificate has changed.'

  it.each(['shceduler', 'schedulr', 'scheduller', 'schedumer'])('%s finds the nearest word', (word) => {
    expect(scoreOf(word, note)).toBe(scoreOf('scheduler', note) - exactPart('scheduler'))
  })

  it('with two errors finds the word of a dictionary that a note has', () => {
    const known = corpusOf(note)
    expect(questionTerms('the shceduelr', known)).toMatchObject([{ also: [] }])
    expect(questionTerms('the shceduelr', known, spelledLike)).toMatchObject([{ also: ['schedul'] }])
    expect(questionTerms('the shceduelr', corpusOf('Nothing of it.'), spelledLike)).toMatchObject([{ also: [] }])
  })

  it('looks few long words up in a dictionary, however many are unknown', () => {
    let looked = 0
    const counted = () => (looked++, [])
    const unknown = Array.from({ length: 40 }, (_, i) => `qzword${'abcdefghij'.charAt(i % 10).repeat(3 + (i % 4))}`)
    questionTerms(unknown.join(' '), { documentFrequency: () => 0 }, counted)
    expect(looked).toBeGreaterThan(0)
    expect(looked).toBeLessThanOrEqual(6)
  })

  it('stays what it is if a note has it', () => {
    const known = corpusOf('The causal model', 'The casual shoes')
    expect(questionTerms('casual', known)).toMatchObject([{ stem: 'casual', also: [] }])
  })

  it('does not make another word of a short one', () => {
    expect(questionTerms('form', corpusOf('from farm fork'))).toMatchObject([{ also: [] }])
  })

  it('costs a bounded number of lookups, however long the question', () => {
    let lookups = 0
    const known = { documentFrequency: () => (lookups++, 0) }
    questionTerms(Array.from({ length: 60 }, (_, i) => `zxqvkwords${'abcdefghij'.charAt(i % 10)}x`).join(' '), known)
    expect(lookups).toBeLessThan(400 + 60 * 40)
  })

  /** What the form of the question adds, which a mistyped word has not. */
  function exactPart(word: string): number {
    const query = analyzeQuery(word, corpusOf(note, 'Nothing of it is here.'))
    const analyzed = analyzeNote({ title: '', text: note })
    const none = { ...lexicalWeights, exact: 0 }
    return rankLexical(query, analyzed).score - rankLexical(query, analyzed, none).score
  }
})

describe('an identifier', () => {
  it.each([
    ['recallHere', 'Call `recall_here` first.'],
    ['store-not-marked', 'It fails with STORE_NOT_MARKED.'],
    ['memory/src/index.ts', 'See packages/memory/src/index.ts.'],
    ['node 20.19', 'Needs Node v20.19.4.'],
    ['dry-run', 'Use `--dry-run`.'],
  ])('%s is found in %j', (question, note) => {
    expect(scoreOf(question, note)).toBeGreaterThan(0)
  })

  it('counts more as a whole than by its parts', () => {
    const corpus = corpusOf('Fails with ERR_DISK_FULL.', 'The err of a disk that is full.', 'Fails with ERR_DISK_SLOW.')
    const terms = questionTerms('ERR_DISK_FULL', corpus)
    expect(terms.filter(({ share }) => share === 1).map(({ stem }) => stem)).toEqual(['errdiskful'])
  })
})
