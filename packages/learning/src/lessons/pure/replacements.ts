/** "Use pnpm, not npm", in several languages: which program or package a person wants, and instead of which. */
import { toolFamily } from './tools.ts'

export interface Replacement {
  readonly wanted: string
  readonly unwanted?: string
  readonly family: string
}

/** `undefined` if the sentence replaces nothing, or nothing that is known as a program or package. */
export function replacementIn(sentence: string): Replacement | undefined {
  for (const shape of shapes) {
    const { wanted, unwanted } = shape.exec(sentence)?.groups ?? {}
    if (wanted === undefined) continue
    const family = toolFamily(bare(wanted))
    if (family === undefined) continue
    if (unwanted === undefined) return { wanted: bare(wanted), family }
    if (bare(unwanted).toLowerCase() === bare(wanted).toLowerCase()) continue
    // Two families: the words only look like a replacement.
    if (toolFamily(bare(unwanted)) === family) return { wanted: bare(wanted), unwanted: bare(unwanted), family }
  }
  return undefined
}

const name = "[`']?(?:[A-Za-z@][A-Za-z0-9._/@+-]*[A-Za-z0-9]|[A-Za-z])[`']?"
const wanted = `(?<wanted>${name})`
const unwanted = `(?<unwanted>${name})`
const some = "(?:\\s+[\\w'-]+){0,4}?"

const shapes: readonly RegExp[] = [
  new RegExp(
    `\\b(?:use|uses|using|take|run|with|prefer|want)\\s+${wanted}${some},?\\s+(?:instead of|rather than|and not|not|over)\\s+${unwanted}(?![\\w-])`,
    'i',
  ),
  new RegExp(
    `\\b(?:don't|do not|never|stop|not)\\s+(?:use|using|run|running)?\\s*${unwanted}\\b${some}[,;:.]?\\s+(?:but\\s+)?(?:always\\s+)?(?:use|run|take|we use)\\s+${wanted}`,
    'i',
  ),
  new RegExp(`\\binstead of\\s+${unwanted},?\\s+(?:please\\s+)?(?:use|run|take)\\s+${wanted}`, 'i'),
  new RegExp(
    `^(?:no|nope|wrong|stop|hey|again)\\b[,!. ]+(?:please\\s+)?(?:we\\s+use|this\\s+\\w+\\s+uses|it's|use)\\s+${wanted}(?:\\s+here|\\s+please)?\\s*(?=[.,!]|$)`,
    'i',
  ),
  new RegExp(
    `\\b(?:this|our)\\s+(?:repo|project|codebase|package)\\s+(?:uses|is on|runs on)\\s+${wanted}\\s*(?=[.,!]|$)`,
    'i',
  ),
  new RegExp(
    `\\b(?:nimm|nutze?|benutze?|verwende?|nehmt|nehmen wir)\\b(?:\\s+(?:bitte|hier))*\\s+${wanted}(?:\\s+hier)?,?\\s+(?:statt|anstatt|anstelle von|und nicht|nicht)\\s+${unwanted}`,
    'iu',
  ),
  new RegExp(`\\b(?:usa|usad|usemos|utiliza)\\s+${wanted},?\\s+(?:en vez de|en lugar de|y no|no)\\s+${unwanted}`, 'iu'),
  new RegExp(
    `\\b(?:utilise|utilisez|utilisons|prends|emploie)\\s+${wanted},?\\s+(?:au lieu de|à la place de|plutôt que|et pas|pas)\\s+${unwanted}`,
    'iu',
  ),
  new RegExp(`(?:不要|别|不)(?:再)?用\\s*${unwanted}\\s*[,，、。;]?\\s*(?:而是|请|要|改)?(?:改)?用\\s*${wanted}`, 'iu'),
  new RegExp(`用\\s*${wanted}\\s*[,，、]?\\s*(?:而)?(?:不要|别|不是|不)用?\\s*${unwanted}`, 'iu'),
  new RegExp(`用\\s*${wanted}\\s*(?:代替|替代)\\s*${unwanted}`, 'iu'),
  new RegExp(`${unwanted}\\s*(?:ではなく|じゃなくて|でなく|の代わりに)て?[、,]?\\s*${wanted}`, 'iu'),
]

function bare(text: string): string {
  return text.replaceAll(/[`']/g, '').replace(/[.,]+$/, '')
}
