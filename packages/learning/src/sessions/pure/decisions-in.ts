/** The sentences of a text that say what was decided. Pasted blocks and quotations are left out. */

const most = 5
const longest = 400
const shortest = 15

const decided =
  /\b(?:(?:I|we)(?:'ve| have)? (?:decided|chose|agreed|settled)|(?:decision|decided):|let'?s (?:go with|use|stick with|keep)|(?:we|I)(?:'ll| will| are going to|'re going to|'m going to) (?:use|go with|stick with|keep|switch to|avoid)|going (?:forward|with)|we (?:use|keep|avoid|prefer|switched to|moved to|dropped)|(?:wir|ich) (?:haben |habe )?(?:uns |mich )?(?:entschieden|nehmen|bleiben bei)|on (?:a décidé|garde|utilise)|hemos decidido|decidimos)\b|决定|采用|ことにした|ことにします/iu

/** Somebody does it, or did. With a reason, that is a decision, too. */
const intended =
  /\b(?:we|I)(?:'ll| will|'ve| have)? (?:now )?(?:\w+ ){0,2}?(?:chose|pick|picked|keep|kept|use|used|make|made|round|store|stored|write|return|put|set|split|move|moved|switch|switched|replace|replaced|leave|left|avoid|avoided)\b/i

/** Why a person or an agent decided so. */
const reasoned =
  /\b(?:because|since|so that|otherwise|due to|as it|which avoids|weil|damit|sonst|parce que|porque)\b|因为|ため|から/iu

export interface Said {
  readonly text: string
  readonly hasReason: boolean
}

export function decisionsIn(text: string): readonly Said[] {
  const found: Said[] = []
  for (const sentence of sentencesIn(text)) {
    if (sentence.length < shortest || sentence.length > longest || sentence.endsWith('?')) continue
    const hasReason = reasoned.test(sentence)
    if (decided.test(sentence) || (hasReason && intended.test(sentence))) found.push({ text: sentence, hasReason })
    if (found.length === most) break
  }
  return found
}

/** The sentences that somebody wrote themselves. */
function sentencesIn(text: string): readonly string[] {
  const own = text.replaceAll(/```[\s\S]*?(?:```|$)/g, '\n').replaceAll(/^\s*>.*$/gm, '\n')
  return own
    .split(/(?<=[.!?。！？])\s+|\n+/u)
    .map((sentence) => sentence.replace(/^[\s*#-]+/, '').trim())
    .filter((sentence) => sentence !== '')
}
