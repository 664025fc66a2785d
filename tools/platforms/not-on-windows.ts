/** Tests that ask for what Windows has not, or has otherwise, and why each is left out there. */
import { beforeEach } from 'vitest'

const leftOut: Readonly<Record<string, readonly RegExp[]>> = {
  'it needs symbolic links, which Windows lets few people make, and Wine 8 nobody': [
    /^confinement > (refuses to (read|write)|follows|writes through a link|takes|does not follow)/,
    /removes a link, (not what it points at|and nothing else)/,
    /^(does not follow a link|writes nothing down through a link|makes no note in the place of a link|refuses a link, dangling)/,
    /^says at once that the lock is a (symbolic|dangling) link/,
    /^gives one lock to all spellings of a root/,
    /^an installation is a directory whose node_modules hold/,
    /^the personal write > (refuses a place inside the store, also through a link|is out of reach of every normal verb)/,
    /^writing > (rewrites a linked config|vault_path sets, finds and clears)/,
    /^refusals > config not UTF-8, a directory, or a link to nowhere/,
    /^the root of the store > (refuses the memory_root "out"|a store that holds a corrupt marker)/,
    /^refuses what is not text, and leaves it as it is/,
    /^names a link to something that is not there/,
  ],
  'it is about the permissions of POSIX': [
    /keeps the permissions of (a note|the file)/,
    /^shows what is there byte for byte/,
    /^writing > (makes the file where there is none, for its owner only|takes the permissions of others away)/,
    /^the preview > device-local, root not writable/,
  ],
  'Windows replaces no file that is open': [
    /goes on when a program has saved the same text as another file meanwhile/,
    /^never lets a reader see half of a text, whoever else writes/,
    /^takes a file that appears while it looks for what it is/,
  ],
  'it plays another system than this one': [/^on a disk that takes case and accents for one/],
  'Windows has no pipes among its files, no shell of POSIX, and no descriptors of directories': [
    /refuses a pipe in the place of a note/,
    /^what was written by another process shows at the next look/,
    /^does not take a directory for its own that it was too slow to open/,
    /^puts the way to a directory on the disk/,
  ],
  'Windows has no such names': [/skips names that cannot be keys/, /^does not hide what the system refuses to say/],
  'the test spells places with slashes': [
    /^which backend is meant > the other directories a vault names/,
    /^the root of the store > is vault_path joined with memory_root/,
  ],
  'it beats a hundred times as fast as usual, and Wine cannot follow': [
    /^touches its lock while the work runs, and nothing that has taken its place/,
  ],
}

beforeEach(({ task, skip }) => {
  if (process.platform !== 'win32') return
  const name = fullName(task)
  const found = Object.entries(leftOut).find(([, tests]) => tests.some((test) => test.test(name)))
  if (found !== undefined) skip(`not on Windows: ${found[0]}`)
})

interface Named {
  readonly name: string
  readonly suite?: Named | undefined
}

function fullName({ name, suite }: Named): string {
  return suite === undefined || suite.name === '' ? name : `${fullName(suite)} > ${name}`
}
