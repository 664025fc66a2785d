/** A vault on a disk that is mounted read-only. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const command = fileURLToPath(new URL('../bin/agentm.mjs', import.meta.url))

/** Runs a line of sh where mounts are its own; `undefined` where this machine does not let us. */
function apart(line: string, { home, repo }: CliWorld): { readonly code: number; readonly out: string } | undefined {
  const env = { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: `${home}/.cache` }
  const mounts = 'mkdir -p "$HOME/disk" && mount -t tmpfs tmpfs "$HOME/disk" && mkdir "$HOME/disk/vault"'
  const script = `${mounts} || exit 99; agentm() { "${process.execPath}" "${command}" "$@" 2>&1; }; ${line}`
  const ran = spawnSync('unshare', ['--map-root-user', '--mount', 'sh', '-c', script], { cwd: repo, env })
  return ran.status === null || ran.status === 99 || ran.stdout === null
    ? undefined
    : { code: ran.status, out: ran.stdout.toString() }
}

it(
  'is read, and says of every write that nothing can be written, and what helps',
  { timeout: 60_000 },
  async ({ skip }) => {
    const cli = await CliWorld.forThisTest()
    const readOnly =
      'agentm init --vault "$HOME/disk/vault" --yes && agentm save Lamps && mount -o remount,ro "$HOME/disk"'
    const ran = apart(
      `${readOnly}; agentm recall lamps; for each in save capture; do agentm $each "Other things"; echo "exit $?"; done; agentm doctor`,
      cli,
    )
    if (ran === undefined) {
      skip('nothing can be mounted here')
      return
    }
    expect(ran.out).toContain('projects/acme/note/lamps.md')
    expect(ran.out).toContain('> Lamps')
    expect(
      ran.out.match(
        /the disk is mounted read-only \(EROFS\)\. Mount it for writing, then try again\. \[DEVICE_FAULT\]/g,
      ),
    ).toHaveLength(2)
    expect(ran.out.match(/ {2}try: agentm doctor\nexit 1\n/g)).toHaveLength(2)
    expect(ran.out).toMatch(
      /storage \[WARN\] .*, where nothing can be written: the disk is mounted read-only \(EROFS\)/,
    )
  },
)
