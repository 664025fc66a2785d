/**
 * Which hosts an agent may ask. An entry is a host, a host and a port, or `*.example.com` for every host below it. Without a
 * port it stands for the port its protocol has.
 */
export interface HostLists {
  readonly hosts: readonly string[]
  /** Hosts that may have addresses of the own network; allowed as well. */
  readonly privateHosts?: readonly string[]
}

export interface AllowedHost {
  /** An address of the own network is meant, and is no trick of a name server. */
  readonly mayBePrivate: boolean
}

export function allowedHost({ hosts, privateHosts = [] }: HostLists, url: URL): AllowedHost | undefined {
  const asked = { host: url.hostname.toLowerCase().replace(/\.$/, ''), port: url.port }
  const isNamed = (entries: readonly string[]): boolean => entries.some((entry) => matches(parsed(entry), asked))
  if (isNamed(privateHosts)) return { mayBePrivate: true }
  return isNamed(hosts) ? { mayBePrivate: asked.host === 'localhost' || isAddress(asked.host) } : undefined
}

/** An address in the policy is allowed on purpose. */
function isAddress(host: string): boolean {
  return /^(?:\d+\.){3}\d+$|^\[/.test(host)
}

interface Entry {
  readonly host: string
  readonly port: string
}

function parsed(entry: string): Entry {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? []
  return { host: host.replace(/\.$/, ''), port }
}

function matches({ host, port }: Entry, asked: Entry): boolean {
  if (host === '' || port !== asked.port) return false
  return host.startsWith('*.') ? host.length > 2 && asked.host.endsWith(host.slice(1)) : host === asked.host
}
