/** YAML with the position of every value, so that an error can name the line. JSON is YAML, too. */
import { type Document, isMap, isNode, isScalar, LineCounter, type Node, type Pair, parseDocument } from 'yaml'
import { PlanFileError } from './plan-file-error.ts'

type Path = readonly PropertyKey[]

export class LocatedYaml {
  readonly value: unknown
  readonly #document: Document
  readonly #lines: LineCounter
  readonly #file: string

  /** Refuses text that is not YAML, with every error the parser found. */
  constructor(text: string, file: string) {
    this.#file = file
    this.#lines = new LineCounter()
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false })
    // The parser only warns about an unknown tag, but the value may not be what the author meant.
    const faults = [...this.#document.errors, ...this.#document.warnings]
    if (faults.length > 0)
      throw new PlanFileError(faults.map(({ pos, message }) => `${this.#place(pos[0])} ${message}`))
    try {
      this.value = this.#document.toJS()
    } catch (error) {
      throw new PlanFileError([`${file}:1:1 ${error instanceof Error ? error.message : String(error)}`])
    }
  }

  /** `file:line:column` of the value there, or of the nearest one around it. */
  place(path: Path): string {
    for (let length = path.length; length >= 0; length--) {
      const node = this.#nodeAt(path.slice(0, length))
      if (node?.range) return this.#place(node.range[0])
    }
    return `${this.#file}:1:1`
  }

  /** The position of a key itself. */
  placeOfKey(path: Path, key: string): string {
    const map = this.#nodeAt(path)
    const pair = isMap(map) ? map.items.find((item: Pair) => isScalar(item.key) && item.key.value === key) : undefined
    const range = isScalar(pair?.key) ? pair.key.range : undefined
    return range ? this.#place(range[0]) : this.place(path)
  }

  #nodeAt(path: Path): Node | undefined {
    const found: unknown = path.length === 0 ? this.#document.contents : this.#document.getIn([...path], true)
    return isNode(found) ? found : undefined
  }

  #place(offset: number): string {
    const { line, col } = this.#lines.linePos(offset)
    return `${this.#file}:${line}:${col}`
  }
}
