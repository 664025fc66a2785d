import { expect, test } from 'vitest'
import { harmlessText } from '../src/pure/harmless-text.ts'

test.each([
  ['a\tb\nc', 'a\tb\nc'],
  ['Über 日本 🦊', 'Über 日本 🦊'],
  ['\u001B[1mtitle\u001B[0m', '\u001B[1mtitle\u001B[0m'],
  ['one\r\ntwo', 'one\r\ntwo'],
  ['\r\u001B[2K3 of 4', '\r\u001B[2K3 of 4'],
  ['x\r\u001B[2Ky', 'x␍␛[2Ky'],
  ['\u001B]52;c;cm0gLXJm\u0007', '␛]52;c;cm0gLXJm␇'],
  ['\u001B[2J\u001B[31;5m', '␛[2J␛[31;5m'],
  ['\u009B2J\u007F\r\u0000', '\uFFFD2J␡␍␀'],
])('shows %j on a screen without letting it act there', (text, shown) => {
  expect(harmlessText(text)).toBe(shown)
})
