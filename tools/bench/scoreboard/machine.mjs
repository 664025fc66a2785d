// @ts-check
/** What a figure holds for. */
import os from 'node:os'

/** Cores, model, system, and how busy it was: figures of a busy machine say so. */
export function machine() {
  const cores = os.cpus()
  const [load = 0] = os.loadavg()
  const busy = load > cores.length / 4 ? `, busy with other work (load ${load.toFixed(1)})` : ''
  return `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown'}, ${os.type()} ${os.release()}, Node ${process.version}${busy}`
}

export function today() {
  return new Date().toISOString().slice(0, 10)
}
