/** Names for other packages of this repository only; they may change in any release. @internal */
export { inputsOf, setInputs } from './model-inputs.ts'
