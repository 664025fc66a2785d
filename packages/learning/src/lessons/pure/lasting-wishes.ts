/**
 * Whether a sentence of a person says how things are always to be done: a rule, a ban, a need, or what "we" do. A request for one
 * piece of work, however it is worded, does not.
 */

export function isLastingWish(sentence: string): boolean {
  const text = sentence.trim()
  if (!isLongEnough(text) || pointsElsewhere.test(text) || permits.test(text) || complains.test(text)) return false
  return signs.some((sign) => sign.test(text))
}

function isLongEnough(text: string): boolean {
  if (text.length > mostCharacters) return false
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{3}/u.test(text)) return text.length >= 6
  return text.split(/\s+/).length >= 3
}

const mostCharacters = 320

/** A sentence that cannot be understood without another one. */
const pointsElsewhere =
  /^(?:(?:no|and|but|also|ok|so|well|yes|hm+|please)[, !]+)*(?:it|its|it's|that|that's|this (?:is|was|has|should|must)|they|those|these|he|she)\b/i
/** What an agent may do is never learned: only a person can permit, each time. */
const permits =
  /\byou (?:can|may|do not need|don't need|needn't|are allowed|have my)\b|\b(?:without asking|no need to ask|approved?|permission|allowed to|feel free|go ahead|trust)\b|\b(?:darfst|ohne zu fragen|puedes|sin preguntar|tu peux|sans demander)\b/iu

/** "Prices are wrong": a report of what is to be mended now. */
const complains =
  /\b(?:is|are|looks?|seems?|gets?|got|was|were) (?:(?:still|now|all|so|too|not|a bit|completely|always) )*(?:wrong|broken|slow|missing|failing|red|off(?! limits)|empty|ugly|duplicated|too \w+|gone|late|stuck|incorrect|unreadable|working|showing|shown)\b|\b(?:does not|doesn't|do not|don't|never) (?:work|show|appear|load|compile|build|render|match|seem)\b|\b(?:always|never|every time)\b.{0,40}\b(?:crash|crashes|fails?|hangs?|flickers?|breaks?|happens?)\b|\b(?:crash|crashes|fails?|hangs?|flickers?|happens?)\b.{0,20}\b(?:always|every time|whenever)\b/i

const place =
  '(?:repo|repository|project|codebase|code base|module|crate|package|library|site|service|app|team|monorepo|house|tools|posts|company)'
const we =
  "(?:we|we're)(?: here)?(?: (?:always|never|only|all|usually|generally|deliberately))?(?: (?:do not|don't|use|prefer|want|avoid|keep|stay on|target|test|write|document|bump|name|round|store|follow|have no|have only|only have|put|ship|support|format|log|throw|return|run|deploy|release|host|review|squash|lint|can(?:'t|not) (?:ship|use|have|allow|break|rely|depend|store|log|expose|add)))"

const signs: readonly RegExp[] = [
  // Always and never.
  /\b(?:always|never|from now on|in (?:the )?future|going forward|every time|each time|by default|as a rule|whenever|without exception|at all times|no matter what|everywhere|throughout|don't ever|do not ever)\b/i,
  // Where it holds.
  new RegExp(`\\b(?:in|for|on|across|of) (?:this|our|all our|the whole|any of our) ${place}\\b`, 'i'),
  /\b(?:like everywhere else|keep it (?:that|this) way|(?:of ours|in every \w+ of \w+)(?=[.!]|$)|same in all our|for all our|by convention)\b|\bconvention (?:is|for|here)\b/i,
  // What we do.
  new RegExp(`(?:^|[,.:;-] ?|\\b(?:no|here|because|and|but) )${we}\\b`, 'i'),
  // Bans and needs.
  /\b(?:is|are) (?:forbidden|banned|prohibited|not allowed|mandatory|required|off limits|deprecated|generated)\b|\b(?:may|must|can) only\b|\bmust (?:not |never |always |also )?(?:be|go|stay|have|use|pass|run|come|end|start)\b|\bmust not\b|\byou have to\b|\bonly \w+(?: \w+)? (?:may|applies|is allowed|are allowed)\b/i,
  /^(?:(?:please|and|also|hey|no)[, ]+)*(?:do not|don't|dont) (?:touch|edit|commit|push|write|use|add|import|mock|put|call|throw|log|run|change|modify|rely|depend)\b.*(?:[,;:] ?|\b(?:because|since|as) )(?:\w+ )+(?:is|are|was|were|breaks?|will|gets?|has|have|relies|needs?)\b/i,
  /^(?:please )?stop \w+ing \w+(?: \w+)+/i,
  /\bprefer\b(?! not to say)/i,
  /\b(?:on|for|in) (?:every|each|all) (?:\w+ )?(?:function|module|file|class|endpoint|component|test|commit|pr|pull request|method|branch|migration|change|release|package|query|table|page|public)\w*/i,
  /\bfor anything (?:that|which)\b/i,
  // Whom it matters to: "pin actions by hash, security insists".
  /[,;:(–-]\s*(?:because |since |as )?(?:the |our )?[\w ]{2,30}\b(?:insists?|relies|rely|requires?|demands?|wants? (?:that|it|this)|bounces?|bounce|rejects?|parses?|reads?|mirrors?|sorts? by|depends? on|expects?|complains?|hates?|counts? on)\b/i,
  // "No unwrap in handlers."
  /^(?:(?:no|nope)[,!. ]+)?no (?!(?:errors?|warnings?|idea|problems?|changes?|output|need|way|one|more|worries|rush|results?)\b)[\w()`.-]+(?: \w+)? (?:in|inside|outside|for) \w+/i,
  // "Ids are ULIDs, not UUIDs", "tests next to the code, not in a folder".
  /^(?:[\w`/-]+ ){1,4}(?:is|are|go|goes|get|gets|live|lives|belong|belongs|come|comes|end|start) [^,;]+[,;] ?(?:not|never|no) \w+/i,
  /^(?:[\w`/-]+ ){1,4}(?:next to|inside|outside|below|above|via|through) [^,]+, (?:please, )?not \w+/i,
  // "The tests need redis running".
  /^(?:the |our )?(?:unit |integration )?(?:tests?|e2e|specs?|suite|build|builds|ci|dev server|migrations?|deploys?|app|linter|docs) (?:needs?|requires?|expects?) \S+/i,
  // "Branch names are NAME/ISSUE", "Exit codes: 2 for wrong usage".
  /^(?:our |the |all )?(?:branch(?:es| names)?|commit messages?|commits|exit codes?|file names?|test names?|test ids|class names?|env(?:ironment)? var(?:iable)?s?|log lines|error messages|log messages|dates|timestamps|ids|\w+ ids|amounts|prices|versions|comments)(?: (?:is|are|must|have|has|start|end|use)\b|:)/i,
  // German.
  /\b(?:immer|nie|niemals|nirgends|grundsätzlich|ab jetzt|ab sofort|künftig|in zukunft|bei uns|jedes mal|gilt für alle)\b|\bin diesem (?:repo|projekt|paket|modul)\b|\bwir (?:nutzen|benutzen|verwenden|nehmen|schreiben|testen|machen) (?:hier |bei uns )?(?:kein|nie|immer|nur)/iu,
  // Spanish.
  /\b(?:siempre|nunca|jamás|a partir de ahora|de ahora en adelante)\b|\ben este (?:proyecto|repo|repositorio|módulo)\b/iu,
  // French.
  /\b(?:toujours|jamais|désormais|dorénavant|à partir de maintenant)\b|\bdans ce (?:projet|dépôt|module)\b/iu,
  // Chinese, Japanese.
  /以后|始终|总是|一律|永远|从现在起|不要再|禁止|必须|都要用|都用/u,
  /常に|必ず|いつも|絶対に|今後は?|これからは|毎回|禁止/u,
]
