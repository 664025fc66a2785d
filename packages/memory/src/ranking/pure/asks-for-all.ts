/**
 * Whether a question asks for all of something: "which ports did we assign", "list all decisions", "welche Dienste nutzen wir". Such
 * a question has several answers, and each of them is wanted.
 */

// A plural after "which" or "what", and a verb that goes with it. "Which port does it use" asks for one.
const english =
  '(?:which|what)(?: \\w+){0,2}? (?!does|is|was|has|this|its)(?:\\w{2,}[^\\Wsu]s|people) (?:do|did|have|are|were|can|could|should|must|will|we|use|need|depend|run)' +
  '|(?:list|name|show|enumerate|give)(?: me| us)? (?:all|every|each)|list (?:the|our|my)|all (?:of )?(?:the|our|my|these|those) \\w+'
const german =
  '(?:welche|was für) \\p{L}+(?: \\p{L}+)? (?:haben|hatten|sind|waren|werden|wurden|können|sollen|müssen|nutzen|verwenden|brauchen|gibt es|laufen)' +
  '|alle(?:n|r)? (?:unsere|diese)?\\p{L}+|(?:zähle|liste)\\p{L}* .*auf'
const romance =
  'quel(?:le)?s|tou(?:s|tes) (?:les|nos|mes)|(?:énumère|liste)[rz]?' +
  '|(?:qué|cuáles) \\p{L}+[oae]s|tod[oa]s (?:l[oa]s|nuestr[oa]s|mis)|enumera|lista (?:de )?(?:tod[oa]s|l[oa]s)' +
  '|quali|tutt[ie] (?:i|le|gli)|elenca' +
  '|quais|tod[oa]s [oa]s|enumere'
const others =
  'welke \\p{L}+(?:en|s) (?:hebben|hadden|zijn|waren|worden|kunnen|moeten|gebruiken)|alle (?:onze|de) \\p{L}+|som .*op' +
  '|jakie|które|wszystkie|wymień' +
  '|какие|все|всех|перечисли\\p{L}*|які|усі|всі|усіх|всіх|перелічи\\p{L}*' +
  '|hangi \\p{L}+l[ae]r\\p{L}*|tüm|bütün|listele\\p{L}*'
// Of lower-case text, because to compile so many \p{L} for both cases takes some milliseconds of a process that begins.
const spaced = new RegExp(`(?<![\\p{L}\\p{N}])(?:${english}|${german}|${romance}|${others})(?![\\p{L}\\p{N}])`, 'u')
const unspaced = /所有|全部|哪些|列出|すべて|全て|一覧|挙げて|모든|모두|목록/

export function asksForAll(text: string): boolean {
  const normal = text.normalize('NFKC').toLowerCase()
  return spaced.test(normal) || unspaced.test(normal)
}
