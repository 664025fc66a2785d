import { defineConfig } from 'vitest/config'
import quick from './vitest.config.ts'

/** Kill loops and fuzz at full size. One file at a time: they measure races, and must not race each other for the CPU. */
export default defineConfig({
  ...quick,
  test: {
    ...quick.test,
    include: ['packages/*/test/**/*.deep.test.ts', 'tools/test/**/*.deep.test.ts', 'examples/*/test/**/*.deep.test.ts'],
    exclude: ['**/node_modules/**'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
})
