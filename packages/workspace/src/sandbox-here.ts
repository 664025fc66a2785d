/** The sandbox in which programs of steps run on this machine: what the config wants, and what is in force. */
import { homedir, userInfo } from 'node:os'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Sandbox, systemRuntime } from '@agentm/agent-loop'
import { probeSandbox, sandboxOf, type SandboxPlaces } from '@agentm/agent-loop/internal'
import { agentmHome, type InstallConfig, type SelectionWorld } from '@agentm/selection/reader'
import { HarnessConfigError } from './harness-config-error.ts'

/** Whether programs of steps run in a sandbox here. */
export interface SandboxState {
  readonly wanted: 'off' | 'on' | 'required'
  readonly isInForce: boolean
  /** For people: what is in force, and what to do if it is not what the config wants. */
  readonly text: string
}

export interface SandboxHere {
  readonly state: SandboxState
  /** `undefined`: programs run without one. Throws if the config requires one that does not work here. */
  of(places: SandboxPlaces): Sandbox | undefined
}

interface Place {
  readonly config: InstallConfig
  readonly world: SelectionWorld
}

export async function sandboxHere({ config: { values }, world }: Place): Promise<SandboxHere> {
  const wanted = values['tools.sandbox'] ?? 'off'
  if (wanted === 'off') return { state: { wanted, isInForce: false, text: offText }, of: () => undefined }
  const probe = await probeSandbox(systemRuntime)
  const network = values['tools.sandboxNetwork'] ?? false
  const policy = { network, hidden: hiddenHere(world), readable: values['tools.sandboxReads'] ?? [] }
  if (probe.works)
    return {
      state: { wanted, isInForce: true, text: network ? `${inForceText}.` : `${inForceText}, and reach no network.` },
      of: (places) => sandboxOf(policy, places),
    }
  const text = `programs run without a sandbox, because bubblewrap does not work here: ${probe.why}. ${cure}`
  if (wanted === 'on') return { state: { wanted, isInForce: false, text }, of: () => undefined }
  const refusal = `tools.sandbox is required, and bubblewrap does not work here: ${probe.why}. ${cure} Or set tools.sandbox to on, which runs programs without it.`
  return {
    state: { wanted, isInForce: false, text: refusal },
    of: () => {
      throw new HarnessConfigError(refusal)
    },
  }
}

const offText = 'programs of steps run without a sandbox (tools.sandbox: off).'
const inForceText =
  'programs of steps run in a sandbox: they write only in the directory of their step and in a /tmp of their own, do not see the home directory'
const cure = 'Install the package bubblewrap, and let users create namespaces (kernel.unprivileged_userns_clone).'

/** The directories of users and of agentm. */
function hiddenHere(world: SelectionWorld): readonly string[] {
  const all = ['/home', '/root', homedir(), userInfo().homedir, world.home, agentmHome(world)]
  return [...new Set(all)].filter((place) => path.isAbsolute(place) && place !== '/' && existsSync(place))
}
