// @ts-check
/**
 * Twenty small repositories, each with one failing test. They are generated, so that nothing of them can be in anybody's memory.
 * The first ten are for work on the gate, the last ten were kept for the figure that counts.
 */

/**
 * @typedef {object} Task
 * @property {string} name the function that is broken
 * @property {'tuning' | 'kept'} part
 * @property {Readonly<Record<string, string>>} files
 * @property {string} source the file that is broken
 * @property {string} fixed what it should hold
 * @property {string} test the file with the failing test
 * @property {string} other a healthy file
 */

/** Name, arguments, right body, wrong body, and cases: the last one fails with the wrong body. */
const functions = /** @type {const} */ ([
  ['sum', 'list', 'return list.reduce((a, b) => a + b, 0)', 'return list.reduce((a, b) => a + b, 1)', [['[]', '0']]],
  [
    'clamp',
    'n, low, high',
    'return Math.min(high, Math.max(low, n))',
    'return Math.max(high, Math.max(low, n))',
    [
      ['9, 1, 5', '5'],
      ['3, 1, 5', '3'],
    ],
  ],
  [
    'slug',
    'text',
    String.raw`return text.trim().toLowerCase().replace(/\s+/g, '-')`,
    String.raw`return text.trim().toLowerCase().replace(/\s/, '-')`,
    [
      [`'One'`, `'one'`],
      [`'One two  three'`, `'one-two-three'`],
    ],
  ],
  [
    'median',
    'list',
    'const s = [...list].sort((a, b) => a - b); const m = s.length >> 1; return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2',
    'const s = [...list].sort(); const m = s.length >> 1; return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2',
    [
      ['[1, 2, 3]', '2'],
      ['[10, 9, 100]', '10'],
    ],
  ],
  [
    'isLeapYear',
    'year',
    'return year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)',
    'return year % 4 === 0',
    [
      ['2024', 'true'],
      ['1900', 'false'],
    ],
  ],
  [
    'chunk',
    'list, size',
    'return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, i * size + size))',
    'return Array.from({ length: Math.floor(list.length / size) }, (_, i) => list.slice(i * size, i * size + size))',
    [
      ['[1, 2], 1', '[[1], [2]]'],
      ['[1, 2, 3], 2', '[[1, 2], [3]]'],
    ],
  ],
  [
    'unique',
    'list',
    'return [...new Set(list)]',
    'return list.filter((each, i) => list[i - 1] !== each)',
    [
      ['[1, 1]', '[1]'],
      ['[1, 2, 1]', '[1, 2]'],
    ],
  ],
  [
    'capitalise',
    'text',
    `return text.replace(/(^|\\s)\\p{L}/gu, (c) => c.toUpperCase())`,
    `return text.charAt(0).toUpperCase() + text.slice(1)`,
    [
      [`'ada'`, `'Ada'`],
      [`'ada king'`, `'Ada King'`],
    ],
  ],
  [
    'gcd',
    'a, b',
    'return b === 0 ? Math.abs(a) : gcd(b, a % b)',
    'return b === 0 ? a : gcd(b, a % b)',
    [
      ['12, 18', '6'],
      ['-4, 0', '4'],
    ],
  ],
  [
    'range',
    'from, to, step = 1',
    'const all = []; for (let n = from; n < to; n += step) all.push(n); return all',
    'const all = []; for (let n = from; n <= to; n += step) all.push(n); return all',
    [
      ['0, 1, 2', '[0]'],
      ['0, 3', '[0, 1, 2]'],
    ],
  ],
  [
    'reverseWords',
    'text',
    `return text.trim().split(/\\s+/).reverse().join(' ')`,
    `return text.split('').reverse().join('')`,
    [
      [`'a'`, `'a'`],
      [`'one two'`, `'two one'`],
    ],
  ],
  [
    'countVowels',
    'text',
    `return (text.match(/[aeiou]/gi) ?? []).length`,
    `return (text.match(/[aeiou]/g) ?? []).length`,
    [
      [`'banana'`, '3'],
      [`'Ada'`, '2'],
    ],
  ],
  [
    'isPalindrome',
    'text',
    `const t = text.toLowerCase().replace(/[^a-z]/g, ''); return t === [...t].reverse().join('')`,
    `return text === [...text].reverse().join('')`,
    [
      [`'anna'`, 'true'],
      [`'Never odd or even'`, 'true'],
    ],
  ],
  [
    'average',
    'list',
    'return list.length === 0 ? 0 : list.reduce((a, b) => a + b, 0) / list.length',
    'return list.reduce((a, b) => a + b, 0) / list.length',
    [
      ['[2, 4]', '3'],
      ['[]', '0'],
    ],
  ],
  [
    'compareVersions',
    'a, b',
    `const [x, y] = [a, b].map((v) => v.split('.').map(Number)); for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return Math.sign(x[i] - y[i]); return 0`,
    'return a < b ? -1 : a > b ? 1 : 0',
    [
      [`'1.2.0', '1.3.0'`, '-1'],
      [`'1.10.0', '1.9.0'`, '1'],
    ],
  ],
  [
    'daysInMonth',
    'year, month',
    'return new Date(Date.UTC(year, month, 0)).getUTCDate()',
    'return [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]',
    [
      ['2023, 4', '30'],
      ['2024, 2', '29'],
    ],
  ],
  [
    'toCelsius',
    'f',
    'return Math.round(((f - 32) * 5) / 9)',
    'return Math.round((f - 32) * 5 / 8)',
    [
      ['32', '0'],
      ['212', '100'],
    ],
  ],
  [
    'flatten',
    'list',
    'return list.flat(Infinity)',
    'return list.flat()',
    [
      ['[[1], 2]', '[1, 2]'],
      ['[[[1]], 2]', '[1, 2]'],
    ],
  ],
  [
    'parseQuery',
    'text',
    `return Object.fromEntries(new URLSearchParams(text))`,
    `return Object.fromEntries(text.split('&').map((pair) => pair.split('=')))`,
    [
      [`'a=1&b=2'`, `{ a: '1', b: '2' }`],
      [`'name=Ada+King'`, `{ name: 'Ada King' }`],
    ],
  ],
  [
    'roman',
    'n',
    `const t = [[10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]; let r = ''; for (const [v, s] of t) while (n >= v) { r += s; n -= v } return r`,
    `const t = [[10, 'X'], [5, 'V'], [1, 'I']]; let r = ''; for (const [v, s] of t) while (n >= v) { r += s; n -= v } return r`,
    [
      ['6', `'VI'`],
      ['14', `'XIV'`],
    ],
  ],
])

/** @type {readonly Task[]} */
export const tasks = functions.map(([name, args, right, wrong, cases], i) => {
  const [otherName, otherArgs, otherRight, , otherCases] = functions[(i + 7) % functions.length] ?? functions[0]
  const source = `src/${name}.js`
  const test = `test/${name}.test.js`
  const other = `src/${otherName}.js`
  return {
    name,
    part: i < 10 ? 'tuning' : 'kept',
    source,
    test,
    other,
    fixed: moduleOf(name, args, right),
    files: {
      'package.json': `${JSON.stringify({ name, type: 'module', private: true, scripts: { test: 'node --test' } }, null, 2)}\n`,
      [source]: moduleOf(name, args, wrong),
      [test]: testOf(name, cases),
      [other]: moduleOf(otherName, otherArgs, otherRight),
      [`test/${otherName}.test.js`]: testOf(otherName, otherCases),
    },
  }
})

/** @param {string} name @param {string} args @param {string} body */
function moduleOf(name, args, body) {
  return `export function ${name}(${args}) {\n  ${body}\n}\n`
}

/** @param {string} name @param {readonly (readonly [given: string, expected: string])[]} cases */
function testOf(name, cases) {
  const tests = cases.map(
    ([given, expected]) =>
      `test(${JSON.stringify(`${name}(${given})`)}, () => {\n  assert.deepEqual(${name}(${given}), ${expected})\n})\n`,
  )
  return `import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { ${name} } from '../src/${name}.js'\n\n${tests.join('\n')}`
}
