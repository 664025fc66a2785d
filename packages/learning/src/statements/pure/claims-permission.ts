/**
 * Whether a text says that a person approved, allowed or waived something. An agent that recalls such a sentence later would act on
 * it, although it may come from a web page. Permission must come from a person, so it is never learned.
 */
const people = '(?:user|operator|owner|admin(?:istrator)?|human|person|customer|maintainer|manager|team|boss)s?'
const permits =
  '(?:approv(?:es?|ed|al)|allow(?:s|ed)?|permit(?:s|ted)?|permission|authori[sz](?:es?|ed|ation)|consent(?:s|ed)?|grant(?:s|ed)?|trusts?|trusted|waiv(?:es?|ed)|accept(?:s|ed)?|agree(?:s|d)?)'

const shapes: readonly RegExp[] = [
  new RegExp(`\\bthe ${people}\\b[^.\\n]{0,40}\\b${permits}\\b`, 'i'),
  new RegExp(`\\b${permits}\\b[^.\\n]{0,30}\\bby the ${people}\\b`, 'i'),
  /\b(?:no|without|needs? no|do(?:es)? not need|not need(?:ed)?|skip)\b[^.\n]{0,20}\b(?:approval|permission|confirmation|consent)\b/i,
]

export function claimsPermission(text: string): boolean {
  const plain = text.normalize('NFKC')
  return shapes.some((shape) => shape.test(plain))
}
