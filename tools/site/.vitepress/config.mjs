// @ts-check
import path from 'node:path'
import { sidebar, topBar } from '../navigation.mjs'
import { repository } from '../stage.mjs'

const pages = path.resolve(import.meta.dirname, '../.built/pages')

export default {
  title: 'agentm',
  description: 'The memory and the execution record of coding agents.',
  lang: 'en',
  base: process.env['AGENTM_SITE_BASE'] ?? '/agentm/',
  srcDir: '.built/pages',
  outDir: '.built/site',
  cacheDir: '.built/cache',
  cleanUrls: true,
  metaChunk: true,
  // After the build links.mjs follows them all, anchors too.
  ignoreDeadLinks: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // The index of the search is one large file, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 5000 } },
  // Pages show braces. The generator would compute what stands between two of them.
  markdown: {
    config: (
      /** @type {{ renderer: { rules: Record<string, ((...given: any[]) => string) | undefined> } }} */ {
        renderer: { rules },
      },
    ) => {
      for (const rule of ['text', 'code_inline']) {
        const render = rules[rule]
        if (render !== undefined) rules[rule] = (...given) => render(...given).replaceAll('{{', '&#123;&#123;')
      }
    },
  },
  themeConfig: {
    nav: topBar(pages),
    sidebar: sidebar(pages),
    outline: { level: [2, 3] },
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: {
      pattern: ({ filePath }) =>
        `https://github.com/agentm/agentm/edit/main/docs/${filePath.replace(/^decisions\/index\.md$/, 'decisions/README.md')}`,
      text: 'Edit this page',
    },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          options: {
            // An identifier is found whole and by its parts. These functions run in the reader's browser, each by itself.
            tokenize: (/** @type {string} */ text) =>
              text.split(/[^\p{L}\p{N}_.-]+/u).flatMap((word) => {
                const whole = word.replaceAll(/^[.-]+|[.-]+$/g, '')
                const parts = whole.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^\p{L}\p{N}]+/u)
                return [...new Set([whole, ...parts])].filter((term) => term !== '')
              }),
            processTerm: (/** @type {string} */ term) => {
              const lower = term.toLowerCase()
              return /^(a|an|the|to|of|in|on|is|my|i|how|do|and|with|for)$/.test(lower) ? null : lower
            },
          },
          searchOptions: {
            fuzzy: 0.2,
            prefix: true,
            boost: { title: 4, titles: 2, text: 1 },
            // First how to do it, then what exactly there is, last why it is so. This function runs in the reader's browser, by itself.
            boostDocument: (/** @type {string} */ id) => {
              if (/\/(tutorials|how-to)\//.test(id)) return 2
              if (/\/(decisions|packages)\/|\/scoreboard/.test(id)) return 0.15
              return 1
            },
          },
        },
      },
    },
  },
}
