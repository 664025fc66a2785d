/**
 * Whether a sentence is only about the moment it was written in: a report, a polite phrase, a plan for the next minute. Agents end
 * every step with such sentences in the same words, so their repetition proves nothing. Lasting sentences are in the present tense
 * and about something permanent. It knows English; in other languages it only rejects questions and sentences that are too short or
 * too long.
 */

const [fewestWords, mostCharacters] = [3, 300]

export function isPassingSentence(sentence: string): boolean {
  const text = sentence.normalize('NFKC').replaceAll(/[’‘]/g, "'").trim()
  if (!isSentence(text) || shapes.some((shape) => shape.test(text))) return true
  const words = text.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'_-]|[./](?=[\p{L}\p{N}]))*/gu) ?? []
  return isReport(text, words) || isBareOrder(text, words) || (isPast(words) && !isDated(text))
}

function isSentence(text: string): boolean {
  if (text.length > mostCharacters || /[?？:：]$/.test(text)) return false
  const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0
  if (letters < text.replaceAll(/\s/g, '').length * 0.6) return false
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4}/u.test(text)
  return isUnspaced || text.split(/\s+/).length >= fewestWords
}

/** Things that a step makes or looks at, and that nobody meets again under that name. */
const workpiece =
  '(?:acceptance criteria|analysis|approach|bugs?|causes?|changes?|code|coverage|criteria|defects?|diffs?|edge cases?|edits?|effect|errors?|failures?|findings?|fix(?:es)?|functionality|implementation|investigation|issues?|logic|modifications?|output|patch(?:es)?|problems?|progress|recommendations?|refactoring|reports?|requirements?|results?|review|rewrite|root cause|solution|stack ?trace|status|summary|symptoms?|verification|work)'
/** Things that run again and again. A sentence that only says how one run went is not worth keeping. */
const running =
  '(?:builds?|checks?|ci|commands?|deploy(?:ment)?s?|jobs?|lint(?:er|ing)?|migrations?|pipelines?|requests?|restarts?|runs?|scripts?|suites?|tests?|types?|type ?check)'
const overNow =
  '(?:above|again|available|back|below|clean|closed|complete|completed|correct|deployed|done|empty|finished|fine|fixed|gone|good|green|healthy|here|in place|in sync|intact|live|merged|met|normal|ok|okay|passing|production-ready|ready|red|resolved|right|running|safe|satisfied|set up|small|stable|unchanged|up|up to date|valid|verified|working)'
const meanwhile = '(?:(?:now|again|already|still|all|fully|back|both|completely) )*'
const afterwards =
  '(?: (?:again|now|too|also|already|locally|successfully|cleanly|correctly|as well|as before|and \\w+))*[.!]*$'

const shapes: readonly RegExp[] = [
  // Words for the writer or the reader.
  /\bI(?:'m|'ve|'ll|'d)?\b|\b(?:me|my|mine|myself)\b/i,
  /\byou(?:'re|'ve|'ll|r|rs)?\b/i,
  /\bwe(?:'re|'ve|'ll| are| have| will| can now| were| should now| could)\b/i,
  /\b(?:please|thanks|thank you|happy to|glad to|feel free|hope this|hope that|anything else|good to go|looks? (?:good|right|fine|correct))\b/i,
  // Pronouns that refer to another sentence.
  /^(?:it|its|they|their|them|he|she|that|these|those|both|everything|nothing|something|nobody has|here|done|ok|okay|yes|great|perfect|good|sure|recommendation|conclusion|summary|status|result|note)\b/i,
  /^this\b(?! (?:project|repository|repo|codebase|workspace|team|machine|package|service|user)\b)/i,
  /^(?:first|second|third|next|then|now|also|however|but|and|or|so|still|again|meanwhile|afterwards|finally|lastly|otherwise|additionally|overall|in summary|in short|as a result|as \w+ed)\b/i,
  /\b(?:previous|earlier|last|next|remaining|current|following|first|second|final|this|that|these) (?:steps?|runs?|attempts?|tasks?|changes?|errors?|work|plan|part|problem|issue|message|files?)\b/i,
  /\b(?:from|as) before\b|\b(?:see|shown|listed|described|mentioned) (?:above|below|earlier|here)\b|\bsee \S+ for\b|\b(?:summary|overview|list) of (?:what|the|all|my)\b/i,
  /\bthe (?:new|right|correct|expected|missing|affected|relevant|original|updated|requested|actual|remaining|failing|whole|entire)\b|\b(?:all|the) existing\b|^(?:all|both|two|three|\d+) (?:of|\w+ (?:was|were))\b/i,
  // Words for the present moment.
  /\b(?:currently|at the moment|right now|so far|for now|just now|this time|today|yesterday|tonight|last night|this morning|a moment ago|in progress|at present|meanwhile|again|back to|yet)\b/i,
  /\b(?:as (?:requested|expected|discussed|planned|agreed|intended|asked|instructed|described|needed)|successfully|in the end|to the end)\b/i,
  /\bwithout (?:any )?(?:errors?|issues?|problems?|warnings?|failures?|conflicts?|trouble)\b/i,
  /\bno (?:\w+ )?(?:errors?|warnings?|issues?|problems?|failures?|changes?|further|remaining|open|regressions?|conflicts?|action)\b/i,
  /\b(?:took|taking|finished in|completed in|done in|ran for) (?:about |around |only )?[\d.]+ ?(?:m?s|sec|seconds?|min|minutes?|hours?)\b/i,
  // A temporary state or a result.
  new RegExp(`\\b(?:is|are|looks?|seems?|stays?|remains?|has|have) ${meanwhile}${overNow}${afterwards}`, 'i'),
  new RegExp(
    `^(?:all |the |every |each |\\d+ |[\\w-]+ )*${running}\\b[^,]{0,30}\\b(?:pass(?:es)?|fails?|succeeds?|apply|applies|compiles?|works?|covers?|runs? (?:fine|through))\\b(?! (?:when|while|if|unless|until|because|on|without|before|after|under|for|in)\\b)`,
    'i',
  ),
  /\ball passing\b|\b(?:open|pending) (?:questions?|points?|tasks?|items?)\b|\bgreen\b/i,
  /\b(?:ready (?:for|to)|up and running|in working order)\b|\bworks?(?: (?:now|fine|well|correctly|properly))?[.!]*$/i,
  /\b(?:is|are) being \w+\b|\b(?:has|have) been \w+(?:ed|en|t)\b(?! since\b)|\bcould (?:not|n't) be\b/i,
  /\b(?:failed|fails),? so\b|\bbecause .*\bfailed\b/i,
  // A statement about a thing that only this step works on.
  new RegExp(
    `^(?:the |a |an |all |both |no |main |only |actual |underlying )*${workpiece}\\b(?! (?:rules?|messages?|formats?|codes?|owners?|reviews?|templates?|policy|guidelines?|to|of)\\b)`,
    'i',
  ),
  /\b(?:root cause|stack ?trace|pull request for|the branch|the diff|the fix|the patch)\b/i,
  // What somebody asked for, or what comes next.
  /\bthe (?:user|person|operator|owner|customer|human)s? (?:has |have |had )?(?:just |also )?(?:asked|requested|said|told|wanted|confirmed|approved|agreed|reported|mentioned)\b/i,
  /\b(?:will|going to|should|would|could|might) (?:now|next|then|also|solve|fix|help|resolve|work)\b|\b(?:should|must|needs? to|has to|have to|can|could) (?:now |then |also )?be (?:checked|verified|reviewed|tested|looked at|addressed|investigated|considered|merged|done next)\b/i,
  /\b(?:continues? in|left to do|todo|fixme|wip|tbd|work left|to be done|follow-?ups?)\b/i,
]

/** "Updated the file", "Waiting for the build": a report that begins with a verb and leaves out who acted. */
function isReport(text: string, [first = '', second = '']: readonly string[]): boolean {
  if (progress.has(first)) return true
  const start = first.endsWith('ly') || first === 'also' || first === 'already' ? second : first
  const isDone = /^[a-z-]{2,}ed$/.test(start) || irregularPast.has(start)
  // In "Failed requests are retried", the word describes the subject.
  return (
    isDone &&
    !/^\w+(?: [\w-]+){1,4}? (?:is|are|has|have|must|should|can|may|cannot|needs?|does|do|go(?:es)?|gets?|stays?|keeps?|counts?|lands?)\b/i.test(
      text,
    )
  )
}

/** "Update the docs": a line of a to-do list, unless it names a condition or a negation. */
function isBareOrder(text: string, [first = '']: readonly string[]): boolean {
  return (
    orders.has(first) &&
    !/\b(?:before|after|always|never|only|unless|until|when|whenever|instead|not|without|must|rather|with)\b/i.test(
      text,
    )
  )
}

/** Whether the verb of the sentence is in the past tense, judged by its form. */
function isPast(words: readonly string[]): boolean {
  for (const [i, word] of words.entries()) {
    if (i === 0) continue
    if (presentVerbs.has(word) || word.endsWith("n't")) return pastDenials.has(word)
    if (word === 'was' || word === 'were' || word === 'had' || word === 'did') return true
    const [before = '', beforeThat = ''] = [words[i - 1], words[i - 2]]
    const isForm = (/^[a-z]{3,}ed$/.test(word) && !nouns.has(word)) || irregularPast.has(word)
    // After an article, or after a verb in -s, the word describes a noun.
    const isVerb =
      !beforeNoun.has(before) && !before.endsWith('ly') && !(before.endsWith('s') && /[^s]s$/.test(beforeThat))
    if (isForm && isVerb) return true
  }
  return false
}

/** "On Monday", "from Redis to Postgres": a past event with a date or a result is worth keeping. */
function isDated(text: string): boolean {
  if (/\b(?:moved|switched|migrated|renamed|changed)\b.*\bfrom\b.*\bto\b/i.test(text)) return true
  return /\b\d{4}-\d{2}|\b(?:19|20)\d{2}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|june|july|august|september|october|november|december|spring|summer|autumn|winter)\b/i.test(
    text,
  )
}

const listed = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const progress = listed(
  'waiting checking looking trying continuing proceeding closing verifying investigating working starting retrying finishing rerunning re-running moving cleaning preparing',
)
const irregularPast = listed(
  'ran wrote made found rebuilt took went got left began saw told chose brought gave came became felt held lost met paid said sold showed spoke spent stood threw understood woke won broke grew knew drew drove fell flew',
)
const presentVerbs = listed(
  "is are am be has have does do must should shall can cannot may might will need needs isn't aren't",
)
const pastDenials = listed("wasn't weren't hadn't didn't couldn't")
const beforeNoun = listed(
  'a an the of by for to in on at with from as is are be been being all every any each no its their not or and than only most more if when that which who never always',
)
const nouns = listed('speed seed feed need embed red bed shared hundred')
const orders = listed(
  'add adjust apply build bump call change check clean clear close commit confirm consider continue correct create delete deploy document edit ensure extend finish fix follow generate implement improve inspect install investigate look make merge modify move note open patch proceed publish push read refactor release remove rename repair replace resolve restart restore revert review roll rotate run save see set start stop test try update upgrade use verify wait write',
)
