/**
 * Whether a text addresses its reader, like a web page that tries to steer an agent. Nothing is learned from such a text, because a
 * belief is recalled into prompts for months. It recognises only common patterns, so other code treats episodes as data, too.
 */
const shapes: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules?|polic(?:y|ies)|guidelines?|directives?|(?:previous|prior|above|earlier) (?:messages?|text|context))\b/i,
  /\b(?:system|developer) (?:prompt|message|instructions?)\b/i,
  /\byou (?:are|act) now\b|\bfrom now on,? you\b|\bpretend (?:to be|you)\b|\bact as (?:an?|if|the)\b|\byour new (?:role|task|instructions?|goal)\b/i,
  /\b(?:remember|store|save|memori[sz]e|learn|believe|record)\b[^.\n]{0,40}\b(?:as (?:a )?(?:fact|belief|memory|true|preference)|forever|permanently|in (?:your|long[- ]term) memory)\b/i,
  /\b(?:do not|don't|never) (?:tell|inform|mention|reveal|show|ask|warn)\b[^.\n]{0,30}\b(?:users?|humans?|operators?|owners?|anyone|anybody)\b/i,
  /\b(?:ai|language model|assistant|agent)s?\b[^.\n]{0,30}\b(?:must|should|shall|has to|have to|need to|are required to|is required to)\b/i,
  /<\/?(?:system|assistant|instructions?|important|admin)>|\[(?:system|inst)\]|<\|[a-z_]+\|>/i,
]

/**
 * Whether a text addresses its reader, like a text that tries to steer an agent. Nothing is learned from such a text.
 */
export function isAddressedToReader(text: string): boolean {
  const plain = text.normalize('NFKC').replaceAll(/[\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\u00AD]/g, '')
  return shapes.some((shape) => shape.test(plain))
}
