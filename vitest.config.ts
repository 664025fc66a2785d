import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Resolve workspace packages to their TypeScript sources: no build before a test, and coverage maps to src. Not `module`: Node gets these
  // conditions, too, and some packages name files for bundlers there, which Node cannot load.
  ssr: { resolve: { conditions: ['@agentm/source', 'node', 'development|production'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tools/test/**/*.test.ts', 'examples/*/test/**/*.test.ts'],
    // The deep tier is `npm run test:deep`.
    exclude: ['**/node_modules/**', '**/*.deep.test.ts'],
    // One module graph per worker, not per file: 5x faster. So no test may leave global state behind.
    isolate: false,
    pool: 'forks',
    // Most of the time goes by in waiting for processes that start.
    maxWorkers: 2,
    globalSetup: './tools/own-home.mjs',
    sequence: { shuffle: { files: true } },
    reporters: ['default', './tools/tally-reporter.mjs'],
    benchmark: { include: ['packages/*/bench/**/*.bench.ts'] },
    // On CI, where nobody is there to run it again. What needed it is named at the end (docs/decisions/tests-tried-twice.md).
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // How long a test waits for what must happen. Never how fast it has to be.
    expect: { poll: { timeout: 20_000 } },
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
})
