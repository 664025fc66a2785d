export { askStructured, type Structured, type StructuredQuestion } from './ask-structured.ts'
