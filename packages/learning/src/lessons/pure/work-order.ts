/**
 * Whether a sentence orders one piece of work: it begins with a verb of work, or only names a thing to make, and says nothing of how
 * things are always done. A model that takes such an order for a rule is not believed.
 */
import { isLastingWish } from './lasting-wishes.ts'
import { replacementIn } from './replacements.ts'

export function isWorkOrder(sentence: string): boolean {
  const text = sentence.trim().replace(lead, '')
  if (isLastingWish(text) || replacementIn(text) !== undefined || negation.test(text)) return false
  return orders.test(text) || text.split(/\s+/).length < fewestWords
}

// "Both, please", "benchmarks": too short to say how something is to be done.
const fewestWords = 4

const lead =
  /^(?:(?:ok|okay|and|so|now|then|also|please|great|nice|good|thanks|hm+|hey|hi|well|right|fine|one more|next|bitte|ok,)[:,.!]*\s+)+/i
const negation = /\b(?:no|not|never|don't|dont|without|nie|kein\w*|nunca|sin|pas|jamais|sans)\b|不要|别|ない/iu
const orders =
  /^(?:add|adjust|analy[sz]e|append|apply|benchmark|build|bump|change|check|clean|close|commit|compare|convert|copy|correct|create|debug|delete|deploy|describe|disable|document|download|draft|drop|enable|exclude|explain|export|extend|extract|find|fix|format|generate|give|go|handle|implement|improve|include|increase|install|keep|leave|let's (?:see|try)|list|load|look|make|merge|migrate|move|open|optimi[sz]e|parse|plot|port|print|publish|pull|push|put|read|rebase|redo|reduce|refactor|release|remove|rename|replace|reset|restart|restore|retry|return|revert|review|rewrite|rerun|run|save|send|set|show|simplify|skip|sort|split|start|stop|summari[sz]e|swap|tag|test|tidy|translate|try|undo|update|upgrade|use|write|bau|erstell|mach|lösch|schreib|zeig|füg|änder|korrigier|benenn|agrega|añade|crea|borra|cambia|haz|escribe|quita|corrige|ajoute|crée|supprime|écris|change|corrige|montre|renomme)\w*\b|^(?:给|把|加|删|改|写)|(?:消して|追加して|直して|作って|書いて|変えて)(?:ください)?[。!]?$/iu
