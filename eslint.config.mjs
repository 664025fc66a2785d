// ESLint runs the two Nx rules and nothing else (import direction, declared dependencies); oxlint does the rest.
import { createProjectGraphAsync } from '@nx/devkit'
import nx from '@nx/eslint-plugin'
import typescript from '@typescript-eslint/parser'
import jsonc from 'jsonc-eslint-parser'
import { mayImport, layerOf } from './tools/arrows.mjs'

// Both rules print a warning and pass when no project graph is cached (a fresh clone), or trust a stale one: build it now.
await createProjectGraphAsync({ exitOnError: true })

const direction = {
  depConstraints: Object.entries(mayImport).map(([from, to]) => ({
    sourceTag: layerOf(from),
    onlyDependOnLibsWithTags: to.map(layerOf),
  })),
  banTransitiveDependencies: true,
  // Off: the "lazy-loaded library" rule would forbid a static import next to a dynamic one, and hides the layer message.
  checkDynamicDependenciesExceptions: ['.*'],
}
const code = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'

// Tests and benchmarks may also name conformance, except where conformance stands above the package it would test.
const testing = {
  ...direction,
  allowCircularSelfDependency: true,
  // The database server that tests of several packages start, the pooler before it, the line that goes silent, the model they ask, a clock without waiting, vaults of notes, and real coding agents.
  allow: [
    '../../../tools/postgres-server.mjs',
    '../../../tools/own-postgres.mjs',
    '../../../tools/pgbouncer.mjs',
    '../../../tools/mounted-disk.mjs',
    '../../../tools/silent-line.mjs',
    '../../../tools/scripted-model.mjs',
    '../../../tools/sample-media.mjs',
    '../../../../tools/sample-media.mjs',
    '../../../tools/model-in-process.mjs',
    '../../../tools/harness-in-process.mjs',
    '../../../../tools/harness-in-process.mjs',
    '../../../../tools/model-in-process.mjs',
    '../../../../../tools/model-in-process.mjs',
    '../../../tools/simulator/virtual-time.mjs',
    '../../../../tools/scripted-model.mjs',
    '../../../tools/near-duplicates.mjs',
    '../../../tools/trees-crew.mjs',
    '../../../../tools/near-duplicates.mjs',
    '../../../tools/eval/floor/vaults.mjs',
    '../../../tools/clients/client-place.mjs',
    '../../../tools/clients/clients.mjs',
    '../../../tools/clients/published-packages.mjs',
    '../../../tools/clients/recorded-command.mjs',
    '../../../tools/clients/scripted-agent.mjs',
  ],
  depConstraints: direction.depConstraints.map((rule) =>
    [layerOf('storage-seam'), layerOf('nodes'), layerOf('conformance')].includes(rule.sourceTag)
      ? rule
      : { ...rule, onlyDependOnLibsWithTags: [...rule.onlyDependOnLibsWithTags, layerOf('conformance')] },
  ),
}

export default [
  { ignores: ['**/dist/**', '**/coverage/**'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' }, plugins: { '@nx': nx } },
  {
    files: [`packages/*/src/${code}`, `packages/*/bin/${code}`],
    languageOptions: { parser: typescript },
    rules: { '@nx/enforce-module-boundaries': ['error', direction] },
  },
  {
    // A test or benchmark imports its own package by name, as a user would.
    files: [`packages/*/{test,bench}/${code}`],
    languageOptions: { parser: typescript },
    rules: { '@nx/enforce-module-boundaries': ['error', testing] },
  },
  {
    files: ['packages/*/package.json'],
    languageOptions: { parser: jsonc },
    rules: {
      '@nx/dependency-checks': [
        'error',
        // What mcp-sdk.ts and otel-sdk.ts import is inside what is published; see tools/bundle-mcp.mjs.
        {
          buildTargets: ['build'],
          ignoredFiles: [
            '{projectRoot}/{test,bench}/**',
            '{projectRoot}/src/**/mcp-sdk*.ts',
            '{projectRoot}/src/otel-*.ts',
          ],
        },
      ],
    },
  },
]
