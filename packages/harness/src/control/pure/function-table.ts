/** The functions that conditions and references may call. Each is pure, and takes what earlier steps gave. */
import { anything, either, overlaps, spokenType, type ValueType, withoutNothing } from './value-type.ts'

export interface ExpressionFunction {
  /** As documentation and errors show it. */
  readonly shown: string
  readonly parameters: readonly ValueType[]
  readonly gives: (given: readonly ValueType[]) => ValueType
  /** The arguments fit `parameters`. */
  readonly call: (given: readonly unknown[]) => unknown
}

const text: ValueType = { is: 'text' }
const truth: ValueType = { is: 'truth' }
const list: ValueType = { is: 'list', of: anything }

export const functionTable: Readonly<Record<string, ExpressionFunction>> = {
  contains: {
    shown: 'contains(LIST or TEXT, VALUE)',
    parameters: [either(text, list), anything],
    gives: () => truth,
    call: ([whole, part]) =>
      Array.isArray(whole)
        ? whole.some((each) => JSON.stringify(each) === JSON.stringify(part))
        : String(whole).includes(spokenValue(part)),
  },
  startsWith: {
    shown: 'startsWith(TEXT, START)',
    parameters: [text, text],
    gives: () => truth,
    call: ([whole, start]) => String(whole).startsWith(String(start)),
  },
  endsWith: {
    shown: 'endsWith(TEXT, END)',
    parameters: [text, text],
    gives: () => truth,
    call: ([whole, end]) => String(whole).endsWith(String(end)),
  },
  // An item that `when` skipped is left out.
  join: {
    shown: 'join(LIST, SEPARATOR)',
    parameters: [list, text],
    gives: () => text,
    call: ([items, separator]) =>
      (items as readonly unknown[])
        .filter((item) => item !== null)
        .map(spokenValue)
        .join(String(separator)),
  },
  default: {
    shown: 'default(VALUE, OTHERWISE)',
    parameters: [anything, anything],
    gives: ([value = anything, otherwise = anything]) => either(withoutNothing(value), otherwise),
    call: ([value, otherwise]) => value ?? otherwise,
  },
  fromJson: {
    shown: 'fromJson(TEXT)',
    parameters: [text],
    gives: () => anything,
    call: ([json]) => JSON.parse(String(json)) as unknown,
  },
}

/** What is wrong with the types of the arguments; `undefined` if they may fit. */
export function argumentProblem(name: string, given: readonly ValueType[]): string | undefined {
  const { parameters = [], shown } = functionTable[name] ?? {}
  const wrong = parameters.findIndex((parameter, i) => !overlaps(parameter, given[i] ?? anything))
  const [wanted, found] = [parameters[wrong], given[wrong]]
  if (wanted === undefined || found === undefined) return undefined
  return `${shown}: value ${wrong + 1} is ${spokenType(found)}, and ${name} takes ${spokenType(wanted)}`
}

function spokenValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
