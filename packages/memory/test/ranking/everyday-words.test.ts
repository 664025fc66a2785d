import { expect, it } from 'vitest'
import { tellingOf } from '../../src/ranking/pure/everyday-words.ts'
import { termsOf } from '../../src/ranking/pure/tokenize.ts'

const telling = (word: string) => termsOf(word).map(({ stem }) => tellingOf(stem))

it.each([
  ['says people days ways keys hey', 0.3],
  ['fix fixes fixed testing adjusted changes', 0.3],
  ['können ändere füge cómo añade são écris', 0.3],
  ['файл тесты ошибку', 0.3],
  ['processticksandrejections 7 404', 0.3],
  ['lexers caching payments mutexes', 0.6],
  ['harbour basalt zirconium 5433', 1],
])('weighs each of %j by %d', (words, weight) => {
  expect(telling(words)).toEqual(telling(words).map(() => weight))
})
