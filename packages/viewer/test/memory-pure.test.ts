/** What the rooms of memory and beliefs decide without a browser: Markdown, links, differences, words and lines. */
import { describe, expect, it } from 'vitest'
import { stateWords } from '../app/beliefs/pure/belief-words.ts'
import { confidenceLine } from '../app/beliefs/pure/confidence-line.ts'
import { diffRows } from '../app/memory/diff-rows.ts'
import { withoutEntities } from '../app/memory/pure/entities.ts'
import { listCommand, listQuery, recallCommand, withTag } from '../app/memory/pure/list-query.ts'
import { markdownTokens } from '../app/memory/pure/markdown-tokens.ts'
import { changeOf, type NoteDraft, objectionTo, tagsIn } from '../app/memory/pure/note-draft.ts'
import { byLikelihood, partsInWords, rarityWords } from '../app/memory/pure/note-words.ts'
import { safeLink } from '../app/memory/pure/safe-link.ts'
import { shellWord } from '../app/pure/shell-word.ts'
import type { BeliefVersion } from '../src/contract/beliefs.ts'
import type { Recalled, RecalledResult } from '../src/contract/memory.ts'

describe('a note as Markdown', () => {
  it('is a tree in which tags are text', () => {
    const tokens = markdownTokens('# A\n\n<script>alert(1)</script>\n\n- b')
    expect(tokens?.map(({ type }) => type)).toEqual(['heading', 'space', 'html', 'space', 'list'])
  })

  it.each(['>'.repeat(20_000), '1. '.repeat(20_000), '> '.repeat(60), 'x'.repeat(60_001)])(
    'is shown as it is written if it is too deep or too long: %#',
    (text) => {
      expect(markdownTokens(text)).toBeUndefined()
    },
  )

  it.each([
    ['https://harbour.example/a?b=c', 'https://harbour.example/a?b=c'],
    ['mailto:ada@harbour.example', 'mailto:ada@harbour.example'],
    ['javascript:alert(1)', undefined],
    ['JaVaScRiPt:alert(1)', undefined],
    ['java\nscript:alert(1)', undefined],
    [' \u0001javascript:alert(1)', undefined],
    ['data:text/html,<script>alert(1)</script>', undefined],
    ['vbscript:x', undefined],
    ['file:///etc/passwd', undefined],
    ['blob:https://harbour.example/x', undefined],
    ['//evil.example', undefined],
    ['/api/change/memory', undefined],
    ['other-note.md', undefined],
  ])('leads to pages of the web only: %j', (href, address) => {
    expect(safeLink(href)).toBe(address)
  })

  it.each([
    ['a &amp; b &lt;i&gt; &copy; &#8364; &#x20AC;', 'a & b <i> © € €'],
    ['&toString; &unknown; &#0; &#xD800; &#1114112;', '&toString; &unknown; \uFFFD \uFFFD \uFFFD'],
    ['AT&T', 'AT&T'],
  ])('reads the names of letters: %j', (text, read) => {
    expect(withoutEntities(text)).toBe(read)
  })
})

describe('what changed', () => {
  it.each([
    ['the same texts', 'a\nb', 'a\nb\n', ['… 2']],
    [
      'a changed word',
      'one\nthe lamp is red\nend',
      'one\nthe lamp is blue\nend',
      ['  one', '- the lamp is [red]', '+ the lamp is [blue]', '  end'],
    ],
    ['a new line', 'a\nb', 'a\nx\nb', ['  a', '+ x', '  b']],
    ['a line that went', 'a\nx\nb', 'a\nb', ['  a', '- x', '  b']],
    ['other ends of lines', 'a\r\nb\r\n', 'a\nb\n', ['… 2']],
    ['everything', '', 'a', ['+ a']],
  ] as const)('%s', (_, before, after, rows) => {
    expect(shown(before, after)).toEqual(rows)
  })

  it('folds what stayed, far from a change', () => {
    expect(shown(manyLines('a'), manyLines('b'))).toEqual([
      '… 17',
      '  l17',
      '  l18',
      '  l19',
      '- [a]',
      '+ [b]',
      '  end',
    ])
  })

  it('marks two whole texts in time, however little they have in common', () => {
    expect(diffRows(numbers(3), numbers(5)).length).toBeGreaterThan(7_000)
  })
})

describe('what is chosen', () => {
  it('is one question and one command', () => {
    const chosen = new URLSearchParams("kind=fix&tag=api&tag=it's&newer=30d&q=x&view=y")
    expect(listQuery(chosen)).toBe('kind=fix&newer=30d&tag=api&tag=it%27s')
    expect(listCommand(chosen)).toBe(String.raw`notes --kind fix --newer 30d --tag api --tag 'it'\''s'`)
    expect(recallCommand(new URLSearchParams('q=who%3F&of=note'))).toBe("recall --explain --of note 'who?'")
    expect(withTag(new URLSearchParams('tag=a&kind=b'), 'c')).toBe('/memory?kind=b&tag=a&tag=c')
    expect(withTag(new URLSearchParams('tag=a'), 'a')).toBe('/memory')
  })

  it.each([
    ['a-b_c.d', 'a-b_c.d'],
    ['--purge', "'--purge'"],
    ['$(rm -rf ~)', "'$(rm -rf ~)'"],
    ["it's; ls", String.raw`'it'\''s; ls'`],
    ['two\nlines', "'two lines'"],
    ['', "''"],
  ])('%j is the word %s of a command', (text, word) => {
    expect(shellWord(text)).toBe(word)
  })
})

describe('a draft', () => {
  const draft: NoteDraft = {
    text: 'x',
    title: ' T ',
    tags: '#a, b  a',
    kind: 'fact',
    isPersonal: false,
    how: 'correct',
    reason: '',
  }
  it('is saved over the text that it was made from', () => {
    const at = { key: 'k', hash: 'h' }
    expect(changeOf(draft, at)).toEqual({ do: 'edit', key: 'k', text: 'x', title: 'T', ifHash: 'h', tags: ['a', 'b'] })
    expect(changeOf({ ...draft, how: 'replace', reason: ' r ' }, at)).toEqual({
      do: 'supersede',
      key: 'k',
      text: 'x',
      title: 'T',
      ifHash: 'h',
      reason: 'r',
    })
    expect(tagsIn(' ')).toEqual([])
  })

  it('needs a text, and a reason to replace', () => {
    expect(objectionTo(draft)).toBe('')
    expect(objectionTo({ ...draft, text: ' \n' })).not.toBe('')
    expect(objectionTo({ ...draft, how: 'replace' })).not.toBe('')
  })
})

describe('an answer', () => {
  const asked: Recalled = {
    results: [],
    words: [
      { word: 'lamp', notes: 3 },
      { word: 'red', notes: 0 },
    ],
    notes: 1_200,
    namesTime: false,
    prefersNewer: false,
    leftOut: [],
    belowFloor: 0,
    routine: 0,
    more: 0,
    notices: [],
    tookMs: 1,
    now: 9,
  }

  it('says every part of its score, and only the parts that count', () => {
    const names = (parts: Partial<RecalledResult['parts']>, question = asked) =>
      partsInWords(result(0.5, parts), question).map(({ name }) => name)
    expect(names({})).toEqual(['Words', 'Together', 'Meaning', 'Age'])
    expect(names({ kindWeight: 0.5, linked: 0.2, placeBefore: 3 }, { ...asked, namesTime: true })).toEqual([
      'Words',
      'Together',
      'Meaning',
      'Time',
      'Age',
      'Kind',
      'Link',
      'Reranker',
    ])
    const [words, , meaning] = partsInWords(result(0.5), asked)
    expect(words?.words).toBe('In the title or the marked passage: “lamp”. Not in it: “red”.')
    expect(meaning).toEqual({ name: 'Meaning', words: 'Not compared, so only the words count.' })
    expect(rarityWords(asked)).toBe(
      'Words that few of the 1,200 notes have count most: “lamp” (in 3). In no note: “red”.',
    )
  })

  it('stays in its place, and only the unlikely end of the list is folded', () => {
    const some = [0.9, 0.05, 0.3, 0.03, 0.02].map((probability) => result(probability))
    const { likely, unlikely } = byLikelihood(some)
    expect(likely.map(({ parts }) => parts.probability)).toEqual([0.9, 0.05, 0.3])
    expect(unlikely).toHaveLength(2)
    expect(byLikelihood([result(0.01)]).likely).toEqual([])
  })
})

describe('the confidence of a belief', () => {
  const size = { width: 100, height: 100, left: 0, right: 0, top: 0, bottom: 0 }

  it('holds its value until the next change', () => {
    const { path, area } = confidenceLine([version(0, 0.5), version(50, 1)], 100 * 3_600_000, size)
    expect(path).toBe('M0 50H50V0H100')
    expect(area).toBe('M0 50H50V0H100V100H0Z')
  })

  it('ends where the belief was forgotten', () => {
    const { points, to } = confidenceLine([version(0, 0.5), version(50, 0.2, 'forgotten')], 100 * 3_600_000, size)
    expect(to).toBe(50 * 3_600_000)
    expect(points.at(-1)).toMatchObject({ x: 100, y: 80 })
  })

  it('draws one version, and none', () => {
    expect(confidenceLine([version(0, 0.5)], 0, size).path).toBe('M0 50H100')
    expect(confidenceLine([], 0, size).path).toBe('')
  })

  it.each([
    [{ status: 'active', isUnconfirmed: false }, ''],
    [{ status: 'active', isUnconfirmed: true }, 'learned from agent sessions, and waits for your decision'],
    [{ status: 'pruned', isUnconfirmed: false, prunedBy: 'decay' }, 'forgotten, because nothing confirmed it any more'],
    [{ status: 'pruned', isUnconfirmed: false, prunedBy: 'toString' }, 'forgotten'],
  ] as const)('%j is %j', (state, words) => {
    const row = { id: 'a', statement: 's', kind: 'fact', confidence: 1, project: 'p', isPersons: false, sources: 0 }
    expect(stateWords({ ...row, ...state, confirmedAt: 0 })).toBe(words)
  })
})

function shown(before: string, after: string): readonly string[] {
  return diffRows(before, after).map((row) => {
    if (row.is === 'folded') return `… ${row.lines}`
    if (row.is === 'same') return `  ${row.text}`
    const text = row.parts.map((part) => (part.isChanged ? `[${part.text}]` : part.text)).join('')
    return `${row.is === 'gone' ? '-' : '+'} ${text}`
  })
}

function manyLines(changed: string): string {
  return [...Array.from({ length: 20 }, (_, i) => `l${i}`), changed, 'end'].join('\n')
}

function numbers(seed: number): string {
  return Array.from({ length: 4_000 }, (_, i) => `${(i * seed) % 7919} ${seed}`).join('\n')
}

function result(probability: number, more: Partial<RecalledResult['parts']> = {}): RecalledResult {
  return {
    id: 'n',
    of: 'note',
    title: 't',
    kind: 'fact',
    project: '_global',
    tags: [],
    createdAt: 5,
    before: '',
    passage: '',
    after: '',
    score: 1,
    parts: {
      probability,
      words: 0.5,
      together: 0,
      recency: 0.2,
      time: 0,
      kindWeight: 1,
      inPassage: ['lamp'],
      elsewhere: [],
      absent: ['red'],
      ...more,
    },
  }
}

function version(at: number, confidence: number, what: BeliefVersion['what'] = 'strengthened'): BeliefVersion {
  return {
    version: at,
    at: at * 3_600_000,
    what,
    confidence,
    statement: 's',
  }
}
