export type { Answer, Question } from '../question.ts'
