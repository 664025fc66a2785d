/** `models.inputs`: what models can read besides text; one list for all, or one for each model by its name. */
import { object, type Parser, someOf } from './parser.ts'

export type ModelInput = 'image' | 'pdf'

export type ModelInputs = readonly ModelInput[] | Readonly<Record<string, readonly ModelInput[]>>

const form = 'a list of "image", "pdf", or one for each model, such as {"NAME": ["image", "pdf"]}'

const oneList: Parser<readonly ModelInput[]> = someOf('image', 'pdf')

const byModel = object<Readonly<Record<string, readonly ModelInput[]>>>(form, (value) => {
  for (const [model, inputs] of Object.entries(value)) {
    const takesNothing = Array.isArray(inputs) && inputs.length === 0
    if (!takesNothing && !(Array.isArray(inputs) && oneList.parse(inputs).ok)) return `${model}: is not ${oneList.form}`
  }
  return undefined
})

export const modelInputs: Parser<ModelInputs> = {
  form,
  ...(oneList.choices !== undefined && { choices: oneList.choices }),
  fromText: (text) => (text.trim().startsWith('{') ? byModel.fromText(text) : oneList.fromText(text)),
  parse(value) {
    const read = oneList.parse(value)
    return read.ok ? read : byModel.parse(value)
  },
}

/**
 * What one model can read besides text.
 */
export function inputsOf(inputs: ModelInputs | undefined, model: string): readonly ModelInput[] {
  if (inputs === undefined) return []
  if (isOneList(inputs)) return inputs
  return Object.hasOwn(inputs, model) ? (inputs[model] ?? []) : []
}

/**
 * The command that says that a model can read one more kind of input, for messages that name it. Other models keep theirs.
 */
export function setInputs({
  inputs,
  model,
  input,
}: {
  readonly inputs?: ModelInputs | undefined
  readonly model: string
  readonly input: ModelInput
}): string {
  const wanted = [...new Set([...inputsOf(inputs, model), input])]
  if (inputs !== undefined && isOneList(inputs)) return `agentm config set models.inputs ${wanted.join(',')}`
  return `agentm config set models.inputs '${JSON.stringify({ ...inputs, [model]: wanted })}'`
}

function isOneList(inputs: ModelInputs): inputs is readonly ModelInput[] {
  return Array.isArray(inputs)
}
