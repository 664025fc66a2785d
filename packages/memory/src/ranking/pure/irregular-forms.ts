/** Irregular English forms by their base word, because people ask "did she buy" and write "I bought". */
const families = `
  be been; become became; begin began begun; bite bit bitten; blow blew blown; break broke broken; bring brought;
  build built; buy bought; catch caught; choose chose chosen; come came; deal dealt; dig dug; draw drew drawn;
  drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found;
  fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given;
  go went gone; grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept; know knew known;
  lead led; leave left; lend lent; lose lost; make made; mean meant; meet met; pay paid; ride rode ridden;
  ring rang rung; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; shake shook shaken;
  shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; speak spoke spoken;
  spend spent; stand stood; steal stole stolen; stick stuck; strike struck; swear swore sworn; sweep swept;
  swim swam swum; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
  understand understood; wake woke woken; wear wore worn; win won; write wrote written;
  child children; foot feet; man men; mouse mice; person people; tooth teeth; woman women; wife wives; life lives;
  leaf leaves; knife knives; analysis analyses; index indices; vertex vertices; datum data; criterion criteria`

export const irregularForms: ReadonlyMap<string, string> = new Map(
  families.split(';').flatMap((family) => {
    const [base = '', ...forms] = family.trim().split(/\s+/)
    return forms.map((form) => [form, base] as const)
  }),
)
