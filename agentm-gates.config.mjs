// @ts-check
// What the gates need to know about this repository. Every exception says why it may stay.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { arrows } from './tools/arrows.mjs'

/** What is published holds this part of the SDK inside; see tools/bundle-mcp.mjs. */
const sdkInside = Object.entries({
  'packages/mcp-server/src/mcp-sdk.ts': ['server/stdio.js', 'shared/protocol.js', 'shared/transport.js', 'types.js'],
  'packages/mcp-server/src/mcp-sdk-http.ts': ['server/streamableHttp.js'],
  'packages/agent-loop/src/tools/mcp-sdk.ts': [
    'client/index.js',
    'client/stdio.js',
    'client/streamableHttp.js',
    'shared/transport.js',
  ],
}).flatMap(([file, parts]) =>
  parts.map((part) => ({
    file,
    reach: `@modelcontextprotocol/sdk/${part}`,
    why: 'the packed file holds it, so whoever installs the package needs no SDK',
  })),
)

/** The same for telemetry, which uses a fraction of 25 MB. */
const otelInside = Object.entries({
  'packages/telemetry/src/otel-api.ts': ['api'],
  'packages/telemetry/src/otel-sdk.ts': [
    'context-async-hooks',
    'exporter-metrics-otlp-http',
    'exporter-metrics-otlp-proto',
    'exporter-trace-otlp-http',
    'exporter-trace-otlp-proto',
    'resources',
    'sdk-metrics',
    'sdk-trace',
  ],
}).flatMap(([file, parts]) =>
  parts.map((part) => ({
    file,
    reach: `@opentelemetry/${part}`,
    why: 'the packed file holds it, so whoever installs the package needs none of the SDK',
  })),
)

/** What is published holds the built page, and these libraries inside it; see tools/build-viewer.mjs. */
const pageLibraries = ['preact', 'preact/hooks', 'preact/compat', '@preact/signals', '@dagrejs/dagre', 'diff', 'marked']
const page = 'packages/viewer/app'
const pageInside = readdirSync(path.join(import.meta.dirname, page), { recursive: true, encoding: 'utf8' })
  .map((name) => `${page}/${name.replaceAll('\\', '/')}`)
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => {
    const text = readFileSync(path.join(import.meta.dirname, file), 'utf8')
    const used = pageLibraries.filter((library) => text.includes(`from '${library}'`))
    return used.map((reach) => ({
      file,
      reach,
      why: 'the built page holds it, so whoever installs the package needs none',
    }))
  })

/** @type {import('@agentm/gates').GatesConfigInput} */
export default {
  importDirection: {
    arrows,
    tests: { may: ['conformance'], except: ['storage-seam', 'nodes'] },
    rows: [
      {
        id: 'process-seam-one-way',
        from: '*',
        except: ['cli', 'mcp-server'],
        never: ['process-seam'],
        says: 'other processes ask process-seam; only cli and mcp-server stand above it.',
      },
      {
        id: 'process-seam-only-reads',
        from: 'process-seam',
        only: ['routing/reader', 'workspace/reader', 'type:*'],
        says: 'process-seam reads; it may import only the reader entries and types.',
      },
      {
        id: 'routing-never-imports-a-backend',
        from: 'routing',
        never: ['backend-*'],
        through: true,
        says: 'routing asks a backend for its capabilities and never knows which one it is.',
      },
    ],
    exceptions: [
      ...sdkInside,
      ...otelInside,
      ...pageInside,
      {
        file: 'packages/gates/src/gates-config.ts',
        reach: '@agentm/storage-seam',
        why: 'the name a backend imports the seam by is compared, never loaded',
      },
      {
        file: 'packages/gates/src/gates-config.ts',
        reach: 'computed',
        why: 'the configuration of the repository that is being checked, named on the command line',
      },
      {
        file: 'packages/cli/src/load-bundle.ts',
        reach: 'computed',
        why: 'loads the same command from its bundle, whose files are there only once they were built',
      },
      {
        file: 'packages/conformance/src/load-plugin.ts',
        reach: 'computed',
        why: 'loads the backend under test, which whoever runs the suite names',
      },
      {
        file: 'packages/conformance/src/logs/processes/log-process.ts',
        reach: 'computed',
        why: 'loads the node store under test, which whoever runs the suite names',
      },
      {
        file: 'packages/selection/src/load-plugin.ts',
        reach: 'computed',
        why: 'loads a backend plugin that the user named or installed; the one place that does',
      },
      {
        file: 'packages/workspace/src/load-step-module.ts',
        reach: 'computed',
        why: 'loads a module of steps that the user listed in their own config; the one place that does',
      },
      {
        file: 'packages/workspace/src/import-installed.ts',
        reach: 'computed',
        why: 'loads the package of a model or an embedder that the user named in their own config; the one place that does',
      },
      {
        file: 'packages/selection/src/find-plugin.ts',
        reach: '@agentm/backend-',
        why: 'the beginning of a package name that is looked up among installed packages, never loaded by name',
      },
    ],
  },
  noPathLeak: {
    packages: [
      'routing',
      'nodes',
      'nodes-sqlite',
      'nodes-postgres',
      'memory',
      'learning',
      'embedder-static',
      'agent-loop',
      'harness',
      'planner',
      'workspace',
    ],
    exceptions: [
      { at: 'statePath', why: 'a person wants to open the file; it comes from their own configuration' },
      {
        at: 'openWorkspace().routing.selection',
        why: 'the surroundings it was opened with, for functions of selection and routing that take them',
      },
      { at: 'resolveProject().projectRoot', why: 'where the caller already stands, so that it can run things there' },
      { at: 'findProject().projectRoot', why: 'the same, asked through the workspace' },
    ],
  },
  // Parsing text is a decision about text; memory asks it to print nothing. So is holding a value against a schema.
  pureFolder: {
    packages: ['marked', 'yaml', 'zod'],
    memos: [
      {
        file: 'packages/memory/src/ranking/pure/tokenize.ts',
        name: 'caches',
        why: 'a bounded cache of what cutToken answers for a token: it changes how soon, never what',
      },
      {
        file: 'packages/memory/src/ranking/pure/character-class.ts',
        name: 'classes',
        why: 'a table of what classify answers for a character: it changes how soon, never what',
      },
      {
        file: 'packages/memory/src/ranking/pure/language-of.ts',
        name: 'seen',
        why: 'a bounded cache of the languages that use a word: it changes how soon, never what',
      },
    ],
  },
  vaultLock: {
    vendored: 'skills/memory/scripts/vault-lock.mjs',
    check: ['tools/vendor-vault-lock.mjs', '--check'],
  },
  oneName: {
    exceptions: [
      { name: 'plugin', why: 'the name under which every plugin package exports itself' },
      { name: 'statePath', why: 'the same question, asked of a checkout and of a resolved project' },
    ],
  },
  oneWriter: {
    home: ['vault-lock'],
    exceptions: [
      {
        file: 'packages/harness/src/trees/apply.ts',
        calls: ['cp', 'open', 'rename', 'rm', 'rmdir', 'writeFile'],
        why: "brings files that git wrote beside the user's tree into it, with a journal that completes or takes back an interrupted call",
      },
      {
        file: 'packages/harness/src/trees/link-ignored.ts',
        calls: ['symlink'],
        why: 'puts links into a tree that only one step uses',
      },
      {
        file: 'packages/harness/src/trees/remove-plan-trees.ts',
        calls: ['rm'],
        why: 'removes the trees of a plan below the directory of agentm',
      },
      {
        file: 'packages/harness/src/trees/repository.ts',
        calls: ['copyFile', 'rename', 'rm', 'writeFile'],
        why: 'writes the private git directory of a folder, and a copy of an index for one call of git',
      },
      {
        file: 'packages/harness/src/trees/trees.ts',
        calls: ['writeFile'],
        why: 'writes the name of this machine, once',
      },
      {
        file: 'packages/harness/src/trees/trees-of-plan.ts',
        calls: ['writeFile'],
        why: 'writes a new file below the directory of the trees; nobody writes it again',
      },
      {
        file: 'packages/harness/src/trees/worktree.ts',
        calls: ['copyFile', 'rm', 'writeFile'],
        why: 'makes and removes a tree that belongs to one step',
      },
      {
        file: 'packages/selection/src/text-file.ts',
        calls: ['open'],
        why: 'opens a file of a checkout for reading, with the flag that follows no link',
      },
      {
        file: 'packages/cli/src/commands/demo.ts',
        calls: ['mkdtemp', 'rm', 'writeFile'],
        why: 'writes its steps into the temporary directory it made itself, and removes it',
      },
      {
        file: 'packages/cli/src/archive/write-archive.ts',
        calls: ['createWriteStream', 'open', 'rm'],
        why: 'writes a new file that the user named, piece by piece, never over another one, and removes it if it cannot be finished',
      },
      {
        file: 'packages/cli/src/archive/unpack-archive.ts',
        calls: ['rm'],
        why: 'removes the new log that it could not finish',
      },
      {
        file: 'packages/cli/src/compiled-code.ts',
        calls: ['renameSync', 'rmSync', 'rmdirSync', 'writeFileSync'],
        why: 'keeps compiled code at the end of the process, when nothing can be awaited; what is damaged or lost is compiled again',
      },
      {
        file: 'packages/cli/src/load-bundle.ts',
        calls: ['node:vm'],
        why: 'runs the files that the build made of our own sources, which the gates have seen',
      },
      {
        file: 'packages/cli/src/commands/init-host.ts',
        calls: ['rm', 'rmdir'],
        why: 'deletes a configuration file of an agent that held nothing but our parts, under its lock, and directories that are empty then',
      },
      {
        file: 'packages/cli/src/eval/in-trial.ts',
        calls: ['mkdtemp', 'rm'],
        why: 'makes a temporary directory for a measurement and removes it',
      },
      {
        file: 'packages/cli/src/eval/write-notes.ts',
        calls: ['writeFile'],
        why: 'fills that directory; a lock and a sync per note would take minutes, and nothing in it is kept',
      },
      {
        file: 'packages/workspace/src/media-store.ts',
        calls: ['rename', 'rm', 'utimes', 'writeFile'],
        why: 'keeps pictures of conversations below AGENTM_HOME, each named after its content, so no two writers ever differ',
      },
      {
        file: 'packages/coding-agents/src/granted-files.ts',
        calls: ['rename', 'writeFile'],
        why: 'writes a file of permissions for another program, named after its content and again at each start, so no two writers ever differ',
      },
      {
        file: 'packages/conformance/src/command.ts',
        calls: ['mkdtemp', 'rm'],
        why: 'makes a temporary directory and removes it',
      },
      {
        file: 'packages/conformance/src/contracts/confinement-contracts.ts',
        calls: ['symlink', 'unlink', 'writeFile'],
        why: 'lays traps around a store in a temporary directory before the backend is asked',
      },
      {
        file: 'packages/conformance/src/fuzz-links.ts',
        calls: ['mkdtemp', 'rm', 'symlink', 'writeFile'],
        why: 'plants links around a store in a temporary directory it made itself, and removes it',
      },
      {
        file: 'packages/conformance/src/race-links.ts',
        calls: ['mkdtemp', 'rm', 'writeFile'],
        why: 'lays a trap beside a store in a temporary directory it made itself, and removes it',
      },
      {
        file: 'packages/conformance/src/processes/link-swapper.ts',
        calls: ['renameSync', 'rmSync', 'symlinkSync'],
        why: 'is the attacker: swaps what is in a store, in a temporary directory, for links',
      },
      {
        file: 'packages/conformance/src/processes/crew-member.ts',
        calls: ['writeSync'],
        why: 'answers over a pipe to the process that started it, also right before it is killed',
      },
      {
        file: 'packages/conformance/src/logs/run-log-contract.ts',
        calls: ['mkdtemp', 'rm'],
        why: 'makes a temporary directory and removes it',
      },
      {
        file: 'packages/conformance/src/run-contract.ts',
        calls: ['mkdtemp', 'rm'],
        why: 'makes a temporary directory and removes it',
      },
      {
        file: 'packages/agent-loop/src/tools/files/read-text.ts',
        calls: ['open'],
        why: 'opens a file of an agent for reading, with the flags that follow no link and wait for no pipe',
      },
      {
        file: 'packages/agent-loop/src/tools/files/replace-file.ts',
        calls: ['open', 'rename', 'rm', 'writeFile'],
        why: 'an agent works on the files of its folder, which no store holds; each is replaced whole by a draft of its own',
      },
      {
        file: 'packages/nodes-sqlite/src/make-private-file.ts',
        calls: ['open'],
        why: 'makes an empty file, with the permissions it is to have, for SQLite to write into',
      },
      {
        file: 'packages/nodes-sqlite/src/sqlite-tables.ts',
        calls: ['rmSync'],
        why: 'deletes a damaged index, which is made again; SQLite keeps its locks on the file',
      },
      {
        file: 'packages/nodes-sqlite/src/sqlite-log.ts',
        calls: ['rmSync'],
        why: 'removes the file of a backup that failed, which it made itself',
      },
      {
        file: 'packages/nodes-sqlite/src/open-file.ts',
        calls: ['renameSync'],
        why: 'moves a damaged database aside; SQLite keeps its locks on the file and no vault lock would be asked',
      },
      {
        file: 'packages/nodes-sqlite/src/restore-backup.ts',
        calls: ['copyFileSync', 'rmSync'],
        why: 'copies a backup beside a database; SQLite keeps its locks on the file',
      },
      {
        file: 'packages/nodes-sqlite/src/rebuild-file.ts',
        calls: ['rmSync'],
        why: 'removes the copy of a database that it could not finish; SQLite keeps its locks on the file',
      },
      {
        file: 'packages/nodes-sqlite/src/replace-file.ts',
        calls: ['renameSync', 'open'],
        why: 'puts a copy in the place of a database nobody may be using; SQLite keeps its locks on the file',
      },
      {
        file: 'packages/nodes-sqlite/src/session-holds.ts',
        calls: ['rmSync'],
        why: 'removes the empty file whose lock says that a session lives; nothing is stored in it',
      },
      {
        file: 'packages/gates/src/gates-command.ts',
        calls: ['writeFile'],
        why: 'the SARIF report goes where the command line says; nobody else writes it at the same time',
      },
      {
        file: 'packages/gates/src/vault-lock-parity/bare-exports.ts',
        calls: ['copyFile', 'mkdtemp', 'rm'],
        why: 'copies one file into a temporary directory of its own, and removes that',
      },
      {
        file: 'packages/nodes-postgres/src/backup.ts',
        calls: ['createWriteStream', 'rm'],
        why: 'the copy goes where the caller says and ends with a line that says so; an existing file is refused',
      },
    ],
  },
}
