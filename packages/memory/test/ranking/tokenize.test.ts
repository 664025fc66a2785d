import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { irregularForms } from '../../src/ranking/pure/irregular-forms.ts'
import { stem } from '../../src/ranking/pure/stem.ts'
import { namesIn, termsOf } from '../../src/ranking/pure/tokenize.ts'

describe('termsOf', () => {
  it.each([
    ['What did you do when the build failed?', ['build', 'fail']],
    ["She doesn't like Anna's dogs", ['like', 'anna', 'dog']],
    ['readUserName and HTTPServer', ['readusernam', 'read', 'user', 'name', 'httpserver', 'http', 'server']],
    ['snake_case-names v1.2', ['snake', 'case', 'name', 'snakecasenam', '1', '1.2']],
    ['STORE_NOT_MARKED', ['store', 'mark', 'storenotmark']],
    ['node v20.19.4', ['node', '20', '20.19', '20.19.4']],
    ['--dry-run, well-known', ['dry', 'run', 'dryrun', 'well', 'know']],
    ['src/index.ts and/or', ['src', 'index', 'ts', 'index.ts', 'src/index.ts']],
    ['fs.readFile(path)', ['fs', 'readfil', 'read', 'file', 'fs.readfile', 'path']],
    ['l’eau d’Anna', ['eau', 'anna']],
    ['회의를 끝', ['회의', '의를', '끝']],
    ['Café ＡＢＣ ﬁle', ['cafe', 'abc', 'file']],
    ['東京へ', ['東', '京', 'へ', '東京', '京へ']],
    ['猫', ['猫']],
    ['сервер базы данных', ['сервер', 'баз', 'дан']],
    ['नमस्ते', ['नमस्ते']],
    ['', []],
    ['?! …', []],
  ])('finds in %j the terms %j', (text, stems) => {
    expect(termsOf(text).map((term) => term.stem)).toEqual(stems)
  })

  it('gives a text the same terms whatever its case, accents and punctuation', () => {
    const word = fc.constantFrom('naïve', 'résumé', 'lock', 'files', 'writing', 'Zürich', 'über')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const plain = termsOf(words.join(' ')).map((term) => term.stem)
        expect(termsOf(words.join(', ').normalize('NFD').toUpperCase()).map((term) => term.stem)).toEqual(plain)
      }),
    )
  })

  it('makes no word of an accent that has no letter under it', () => {
    expect(termsOf('\u0300 lock \u0301\u0302').map(({ surface }) => surface)).toEqual(['lock'])
  })

  it('takes any text, and keeps what it finds when more text follows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const terms = termsOf(text)
        expect(terms.every((term) => term.stem !== '' && term.surface !== '')).toBe(true)
        expect(termsOf(`${text}\nlocks`).slice(0, terms.length)).toEqual(terms)
      }),
    )
  })
})

describe('namesIn', () => {
  it.each([
    ['When did Caroline meet Anna Brown?', ['carolin', 'anna', 'brown']],
    ['Where is the harbor of Harbor', ['harbor']],
    ['Which tests fail?', []],
    ['First line.\nSecond line', []],
    ['- **Anna:** hello', []],
  ])('sees in %j the names %j', (text, names) => {
    expect([...namesIn(text)]).toEqual(names)
  })
})

describe('stem', () => {
  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['cats', 'cat'],
    ['feed', 'feed'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['sing', 'sing'],
    ['conflated', 'conflat'],
    ['hopping', 'hop'],
    ['falling', 'fall'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['vietnamization', 'vietnam'],
    ['triplicate', 'triplic'],
    ['electrical', 'electr'],
    ['goodness', 'good'],
    ['adjustment', 'adjust'],
    ['adoption', 'adopt'],
    ['rate', 'rate'],
    ['controlling', 'control'],
    ['went', 'go'],
    ['children', 'child'],
    ['сервера', 'сервера'],
    ['sha256', 'sha256'],
  ])('leads %j to %j', (word, expected) => {
    expect(stem(word)).toBe(expected)
  })

  it('brings every irregular form to the stem of its base', () => {
    for (const [form, base] of irregularForms) expect(stem(form)).toBe(stem(base))
  })

  it('never grows a word by more than an e, and never empties one', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{1,14}$/).filter((word) => !irregularForms.has(word)),
        (word) => {
          expect(stem(word).length).toBeGreaterThan(0)
          expect(stem(word).length).toBeLessThanOrEqual(word.length)
        },
      ),
    )
  })
})
