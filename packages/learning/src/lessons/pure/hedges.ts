/** Whether a sentence asks, supposes, plans, or is only about this moment. Nothing that lasts is learned from such a sentence. */

export function isHedged(sentence: string): boolean {
  return hedges.some((shape) => shape.test(sentence))
}

const hedges: readonly RegExp[] = [
  // Questions.
  /[?？]\s*$|^\s*¿/u,
  /^(?:and |ok(?:ay)?,? |so |hi,? |hey,? |hm+,? )*(?:can|could|would|will|should|do|does|did|is|are|was|were|has|have|why|what|what's|how|which|when|where|who|whose|isn't|aren't|don't we)\b(?! not\b)(?! to\b)(?!ever\b)/i,
  /(?:吗|呢|か)[。.!！?？]*$/u,
  // Suppositions.
  /\b(?:maybe|perhaps|someday|some day|one day|might|could|would|suppose|supposing|imagine|wonder|wondering|probably|possibly|presumably|i think|i guess|i suppose|i believe|not sure|what if|eventually|if we (?:ever|moved?|had|were)|let me think|hypothetically|in theory)\b/i,
  /\b(?:vielleicht|irgendwann|mal sehen|könnten?|würden?|eventuell|angenommen|falls wir)\b/iu,
  /\b(?:quizás?|tal vez|algún día|podríamos|podría|supongamos|a lo mejor)\b|\bsi (?:usamos|cambi\w+)\b/iu,
  /peut-être|\b(?:un jour|pourrait|pourrions|supposons)\b/iu,
  /也许|可能|或许|如果|多分|かも|もし/u,
  // This moment, this piece of work.
  /\b(?:for now|this time|just now|today|tonight|tomorrow|yesterday|for (?:a|the) (?:minute|moment|while|demo)|just once|only once|this once|temporarily|right now|at the moment|until (?:tomorrow|monday|then)|again please)\b/i,
  /\b(?:this|that) (?:one|file|line|function|method|class|test|component|commit|branch|pr|pull request|variable|loop|query|patch|diff|change|rename|run|time|ticket|section|paragraph|screen|button|last)\b|\bin that \w+\b|\bline \d+\b|\bthis one\b/i,
  /\b(?:heute|diesmal|vorerst|erstmal|für jetzt|gerade)\b|\b(?:hoy|por ahora|esta vez|de momento)\b|\b(?:aujourd'hui|pour l'instant|cette fois)\b/iu,
  /今回|とりあえず|这次|暂时|今天/u,
  /\bnever ?mind\b/i,
  // Habits and plans of the person.
  /\bI (?:always|never|often|usually|still|keep|once|just)\b/i,
  /^(?:(?:ok|and|so|well|hm+)[, ]+)*(?:i'll|i will|i'm going to|i am going to|i'm about to|let me|i need to|i was|i had)\b/i,
]
