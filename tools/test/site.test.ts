import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { faultyLinks } from '../site/links.mjs'
import { llmsIndex } from '../site/llms.mjs'
import { sidebar } from '../site/navigation.mjs'
import { forSite, titleIn } from '../site/stage.mjs'

const scratches: string[] = []
afterEach(() => {
  for (const scratch of scratches.splice(0)) rmSync(scratch, { recursive: true, force: true })
})

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'agentm-site-'))
  scratches.push(folder)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  return folder
}

function html(body: string): string {
  return `<html><body><h1 id="top">x</h1>${body}</body></html>`
}

function faultsWith(body: string): readonly string[] {
  return faultyLinks(folderOf({ 'index.html': html(body), 'how-to/backup.html': html('') }), '/agentm/').faults
}

describe('a page of the site', () => {
  it.each([
    ['[x](../reference/errors.md#absent)', '[x](../reference/errors.md#absent)'],
    ['[x](../decisions/README.md)', '[x](../decisions/index.md)'],
    ['[x](../decisions)', '[x](../decisions/index.md)'],
    [
      '[x](../../examples/ten-line-backend)',
      '[x](https://github.com/agentm/agentm/tree/main/examples/ten-line-backend)',
    ],
    ['[x](../../package.json)', '[x](https://github.com/agentm/agentm/blob/main/package.json)'],
    ['[x](https://example.org/a.md)', '[x](https://example.org/a.md)'],
    ['a <!-- arrows -->b', 'a b'],
    ['```sh\necho "[x](../../README.md)"\n```', '```sh\necho "[x](../../README.md)"\n```'],
  ])('has %j as %j', (written, shown) => {
    expect(forSite(written, 'how-to/page.md')).toBe(shown)
  })

  it('is called by its title in the frontmatter, else by its first heading', () => {
    expect(titleIn('---\ntitle: A title\n---\n\n# Other\n')).toBe('A title')
    expect(titleIn('---\norder: 1\n---\n\n# The `x` command\n')).toBe('The x command')
  })
})

describe('faultyLinks', () => {
  it.each([
    ['/agentm/how-to/restore', 'index.html: /agentm/how-to/restore leads nowhere'],
    [
      '/agentm/how-to/backup#daily',
      'index.html: /agentm/how-to/backup#daily: how-to/backup.html has no anchor "daily"',
    ],
    ['#bottom', 'index.html: #bottom: index.html has no anchor "bottom"'],
    ['/how-to/backup', 'index.html: /how-to/backup leads out of the site'],
    [
      'https://agentm.github.io/agentm/how-to/restore',
      'index.html: https://agentm.github.io/agentm/how-to/restore leads nowhere',
    ],
    [
      'https://github.com/agentm/agentm/blob/main/NOPE.md',
      'index.html: https://github.com/agentm/agentm/blob/main/NOPE.md is not in the repository',
    ],
  ])('finds %s', (href, fault) => {
    expect(faultsWith(`<a class="x" href="${href}">x</a>`)).toEqual([fault])
  })

  it('finds what a page would load from another host', () => {
    expect(faultsWith('<script src="https://cdn.example.org/x.js"></script>')).toEqual([
      'index.html: loads https://cdn.example.org/x.js from another host',
    ])
  })

  it('lets links be that lead somewhere', () => {
    const good = ['/agentm/', '/agentm/how-to/backup', '/agentm/how-to/backup#top', '#top', 'https://example.org/']
    expect(faultsWith(good.map((href) => `<a href="${href}">x</a>`).join(''))).toEqual([])
  })
})

it('sorts the sidebar by the order a page asks for, then by title', () => {
  const pages = folderOf({
    'how-to/a.md': '# Zebra\n',
    'how-to/b.md': '# Antelope\n',
    'how-to/c.md': '---\norder: 1\n---\n# Last of the alphabet\n',
    'reference/errors.md': '# Errors\n',
    'reference/commands.md': '# agentm\n',
  })
  expect(sidebar(pages)).toEqual([
    {
      text: 'How-to guides',
      items: [
        { text: 'Last of the alphabet', link: '/how-to/c' },
        { text: 'Antelope', link: '/how-to/b' },
        { text: 'Zebra', link: '/how-to/a' },
      ],
    },
    {
      text: 'Reference',
      items: [
        { text: 'Commands', link: '/reference/commands' },
        { text: 'Errors', link: '/reference/errors' },
      ],
    },
    { text: 'Scoreboard', link: '/scoreboard' },
  ])
})

it('llms.txt names each page with its first sentence', () => {
  const page = { file: 'how-to/backup.md', title: 'Back up', text: '# Back up\n\nCopy [the log](x.md). Then more.\n' }
  expect(llmsIndex([page], '/agentm/')).toContain('- [Back up](/agentm/how-to/backup.md): Copy the log.')
})
