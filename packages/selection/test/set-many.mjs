// One of several writers: sets keys of its own, one call at a time. Arguments: home, name, how many.
import { setConfigValue } from '@agentm/selection'
import { filePath } from '@agentm/vault-lock'

const [home = '', name = '', count = '0'] = process.argv.slice(2)
const world = { env: { XDG_CACHE_HOME: `${home}/cache` }, home: filePath(home), installations: [] }
for (let i = 0; i < Number(count); i++) await setConfigValue(`${name}.${i}`, `${i}`, world)
