/** The configuration of the gates. Every part is optional; a gate without its part reports that it did not run. */
import { access } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { GatesError } from './gates-error.ts'

const names = z.array(z.string().min(1))
const why = z.string().min(10, 'an exception needs a reason a newcomer understands')

const namedRow = z.strictObject({
  /** Last part of the rule id. */
  id: z.string().regex(/^[a-z][a-z-]*$/),
  /** The packages that the rule applies to, `*` for any characters. */
  from: z.string(),
  /** The packages that the rule does not apply to. */
  except: names.default([]),
  /** Directories that they may never reach. */
  never: names.optional(),
  /** The only workspace entries they may reach: `routing/reader`, `type:vault-lock`. */
  only: names.optional(),
  /** Also through packages in between. */
  through: z.boolean().default(false),
  /** Why, for the message. */
  says: z.string(),
})

const importDirection = z.strictObject({
  arrows: z.record(z.string(), z.looseObject({ may: names })),
  /** What tests, benchmarks and devDependencies may name besides their row. */
  tests: z.strictObject({ may: names, except: names.default([]) }).default({ may: [], except: [] }),
  rows: z.array(namedRow).default([]),
  /** `reach` is the specifier, or `computed` for names put together at run time. */
  exceptions: z.array(z.strictObject({ file: z.string(), reach: z.string(), why })).default([]),
})

const noPathLeak = z.strictObject({
  /** The package that exports `StorageBackend`. */
  seam: z.string().default('@agentm/storage-seam'),
  /** Packages, by folder name, whose exported functions and classes are held to it as well. */
  packages: names.default([]),
  /** A path of properties such as `resolveProject().projectRoot`, which is excused wherever that property or function occurs. */
  exceptions: z.array(z.strictObject({ at: z.string(), why })).default([]),
})

const oneWriter = z.strictObject({
  /** Packages, by folder name, that may write files. */
  home: names.default([]),
  /** Packages from npm that write files. */
  writers: names.default([]),
  exceptions: z.array(z.strictObject({ file: z.string(), calls: names, why })).default([]),
})

const vaultLock = z.strictObject({
  /** Folder name of the package the copy is made from. */
  package: z.string().default('vault-lock'),
  vendored: z.string(),
  /** A script that exits 0 when the copy is byte for byte what it would build, run with Node. */
  check: names.min(1),
  /** Exported names of the package that the copy leaves out on purpose. */
  leavesOut: names.default([]),
})

const schema = z.strictObject({
  /** Folders of packages, as globs; by default the `workspaces` of package.json, else the root itself. */
  packages: names.optional(),
  /** The scope of the packages, with `@`; by default the one their names share. */
  scope: z.string().startsWith('@').optional(),
  tsconfig: z.string().default('tsconfig.json'),
  /** Which gates run when none is named on the command line. */
  gates: names.optional(),
  importDirection: importDirection.optional(),
  pureFolder: z
    .strictObject({
      /** Packages from npm that pure code may use. */
      packages: names.default([]),
      /** Caches that change only the speed of a computation and not its result. Each gives the reason why it is allowed. */
      memos: z
        .array(z.strictObject({ file: z.string().min(1), name: z.string().min(1), why: z.string().min(1) }))
        .default([]),
    })
    .prefault({}),
  noPathLeak: noPathLeak.prefault({}),
  oneName: z
    .strictObject({
      /** Names that may stand for two things. */
      exceptions: z.array(z.strictObject({ name: z.string().min(1), why })).default([]),
    })
    .prefault({}),
  oneWriter: oneWriter.optional(),
  vaultLock: vaultLock.optional(),
})

/** The configuration with all defaults. */
export type GatesConfig = z.output<typeof schema>
/** As written in `agentm-gates.config.json` or `.mjs`. */
export type GatesConfigInput = z.input<typeof schema>
export type NamedRow = GatesConfig['importDirection'] extends infer D
  ? D extends { rows: (infer R)[] }
    ? R
    : never
  : never

const configNames = ['agentm-gates.config.mjs', 'agentm-gates.config.json']

export function parseConfig(value: unknown, where: string): GatesConfig {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new GatesError('USAGE', `${where} is not a configuration of the gates:\n${z.prettifyError(parsed.error)}`)
}

/** The file named, else one found at the root, else the defaults. */
export async function readConfig(root: string, named: string | undefined): Promise<GatesConfig> {
  const file = named === undefined ? await findConfig(root) : path.resolve(root, named)
  if (file === undefined) return parseConfig({}, 'the default')
  try {
    if (file.endsWith('.json')) return parseConfig(JSON.parse(await readFile(file, 'utf8')), file)
    const loaded: { readonly default?: unknown } = await import(pathToFileURL(file).href)
    return parseConfig(loaded.default, file)
  } catch (error) {
    if (error instanceof GatesError) throw error
    throw new GatesError('USAGE', `${file} cannot be read: ${String(error)}`, { cause: error })
  }
}

async function findConfig(root: string): Promise<string | undefined> {
  for (const name of configNames) {
    const file = path.join(root, name)
    try {
      await access(file)
      return file
    } catch {
      // No file of this name, so the next name is tried.
    }
  }
  return undefined
}
