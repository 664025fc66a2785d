import { defineConfig } from 'vitest/config'
import quick from './vitest.config.ts'

/**
 * The tests that hold on Windows: of the storage plane, selection, the log, memory, the MCP server and the programs of steps.
 * `tools/windows-test.mjs` runs them under Wine; on Windows itself: npx vitest run --config vitest.windows.config.ts
 */
export default defineConfig({
  ...quick,
  test: {
    ...quick.test,
    include: [
      ...['storage-seam', 'memory', 'mcp-server', 'transcripts'].map((room) => `packages/${room}/test/**/*.test.ts`),
      // Its contracts are kept by the code that keeps those of device-local.
      ...['list-info', 'personal-write'].map((name) => `packages/backend-vault/test/${name}.test.ts`),
      'packages/backend-device-local/test/conformance.test.ts',
      'packages/agent-loop/test/windows-programs.test.ts',
      'packages/learning/test/sessions/*.test.ts',
      'packages/nodes-sqlite/test/**/*.test.ts',
      'packages/selection/test/*.test.ts',
      'packages/vault-lock/test/*.test.ts',
    ],
    exclude: [
      ...(quick.test?.exclude ?? []),
      // What POSIX says about paths and signals.
      'packages/vault-lock/test/{file-path,real-path,processes,dead-holder}.test.ts',
      // Disks that are played, the same everywhere.
      'packages/vault-lock/test/file-faults.test.ts',
    ],
    // Most of the time goes by in waiting for processes that start.
    maxWorkers: 2,
    setupFiles: ['./tools/platforms/not-on-windows.ts'],
  },
})
