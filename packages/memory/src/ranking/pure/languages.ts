/**
 * Languages that inflect their words: their function words, by which the language of a note is guessed, and the endings that a light
 * stemmer removes. All are in lower case without accents, as terms are.
 */
import { withoutAccents } from './without-accents.ts'

export interface Language {
  readonly name: string
  /** Words that carry grammar rather than content. */
  readonly grammar: ReadonlySet<string>
  /** Endings, longest first. */
  readonly endings: readonly string[]
  /** Removed from the beginning of a stem of at least four more letters. */
  readonly prefix?: RegExp
  /** Sounds that change before an ending, and what they become. */
  readonly changes: readonly (readonly [RegExp, string])[]
  /** Whether words are written together, so that a long word is also found by its beginning and its end. */
  readonly compounds?: boolean
}

const german = language('german', {
  grammar: `soll sollen sollte jemand niemand kann konnen muss mussen bitte warum der die das den dem des ein eine einen einem einer und oder aber nicht mit von zu auf fur bei nach aus uber unter wie
    wer wann wo warum welche welcher welches ist sind war wird werden wurde wurden haben hat hatte wir ihr sie er es ich im am zum zur
    als auch noch nur dass wenn was in an so um sich unser unsere dieser diese vom beim ins`,
  endings: 'ungen ung esten ester sten est tete ten ete ern em en er es st te et e n t s',
  prefix: /^(?:ab|an|auf|aus|ein|vor|nach|mit|um|her|hin|durch|zu)?(ge)/,
  changes: [],
  compounds: true,
})
const dutch = language('dutch', {
  grammar: `waarom gaat gaan moeten zal zou iemand de het een van en dat niet met op voor aan zijn ons onze er bij om tot uit naar wie wat waar wanneer welke hoe is was we
    wij ik je hij zij hebben heeft had werd werden worden wordt maar ook nog al als dan die dit deze in of te moet kan`,
  endings: 'heden ingen ing tjes tje den ten de te en er e s t d',
  prefix: /^(?:aan|af|op|uit|in|voor|mee|na|om|door|terug)?(ge)/,
  changes: [
    [/([aeou])\1/g, '$1'],
    [/([bdfgklmnprst])\1$/, '$1'],
    [/z$/, 's'],
    [/v$/, 'f'],
  ],
  compounds: true,
})
const swedish = language('swedish', {
  grammar: `varfor skall nagon hade igar sedan och att det som en ett den de ar av for pa med till inte vi han hon jag du var vad vem nar hur vilken vilka om fran har
    hade blev blir kan ska men eller sa vid i ni oss vara detta dessa`,
  endings: 'heterna heten heter orna arna erna arnas ningar ning ades ade ande ar or er en et at es na te de a e n t s',
  changes: [[/([bdfgklmnprst])\1$/, '$1']],
  compounds: true,
})
const danish = language('danish', {
  grammar: `hvorfor nogen skulle og at det som en et den de er af for pa med til ikke vi han hun jeg du hvad hvem hvornar hvor hvordan hvilken hvilke om
    fra har havde blev bliver kan skal men eller ved i os vaere dette disse var ble nar hva hvem hvilken`,
  endings: 'hederne heden heder erne ene erede ede ende inger ing er en et es te ne e s t a',
  changes: [[/([bdfgklmnprst])\1$/, '$1']],
  compounds: true,
})
const french = language('french', {
  grammar: `pourquoi va vont faut doit peut quelqu le la les un une des du de et ou est sont dans pour par sur avec pas ne que qui quoi quand comment quel quelle quels
    quelles nous vous ils elles il elle je tu on ce cette ces se son sa ses notre nos leur leurs au aux en a ont avons avait etait
    mais plus chez qu`,
  endings: `issements issement ations ation ements ement ateurs ateur euses euse eurs eur aient eront erait erons irent ives ive ifs if ites ite ees ee ais ait ant ante ants antes iez ons ont ent era ira er ez ir is it es e s x on`,
  changes: [
    [/eau$/, 'el'],
    [/au$/, 'al'],
    [/y$/, 'i'],
    [/([bdfgklmnprst])\1$/, '$1'],
    [/i$/, ''],
  ],
})
const spanish = language('spanish', {
  grammar: `va van debe puede porque alguien el la los las un una unos unas de del y o es son en para por con sin no que quien quienes cuando como cual cuales donde
    nosotros se su sus lo le les al mas pero fue fueron ha han hemos nuestro nuestra este esta estos estas a ya muy hay`,
  endings: `aciones acion iciones icion amientos amiento imientos imiento aremos eremos iremos aron ieron aban abamos ando iendo amos emos imos aran ados adas idos idas ado ada ido ida aba ara ian ia ar er ir an en as es os a e o`,
  changes: [
    [/qu$/, 'c'],
    [/gu$/, 'g'],
    [/c$/, 'z'],
    [/i$/, ''],
  ],
})
const italian = language('italian', {
  grammar: `deve puo perche dell nell all dall sull quell qualcuno devono il lo la i gli le un uno una di del della dei delle dello degli e o che chi quando come quale quali dove per con su non
    in da dal dalla nel nella al alla ai alle si ci abbiamo hanno ha ho e sono era noi nostro nostra questo questa piu ma a sul sulla`,
  endings: `azioni azione izioni izione amenti amento imenti imento avano evano ivano iamo ando endo ano ono ato ata ati ate uto uta uti ute ito ita iti ite ava eva iva are ere ire i e a o urre`,
  changes: [
    [/([cg])h$/, '$1'],
    [/i$/, ''],
  ],
})
const portuguese = language('portuguese', {
  grammar: `vai vao deve pode porque alguem o a os as um uma uns umas de do da dos das e ou que quem quando como qual quais onde para por com sem nao em no na nos
    nas ao aos se seu sua foi foram e sao esta nosso nossa este esta isto mais mas ja muito ha pelo pela`,
  endings: `acoes acao icoes icao amentos amento imentos imento aremos eremos iremos aram eram iram avam ando endo indo amos emos imos ados adas idos idas ado ada ido ida ava ara oes ou ei iu ao ais eis ar er ir am em as es os a e o al el`,
  changes: [
    [/qu$/, 'c'],
    [/gu$/, 'g'],
    [/i$/, ''],
  ],
})
const romanian = language('romanian', {
  grammar: `va vor trebuie poate cineva si de la cu pe in un o nu ce cine cand cum care unde pentru din sa se este sunt am ai au a fost noi voi ei ele el ea al
    ale lui sau mai dar prin dupa nostru noastra`,
  endings: `atiile atiei atie atii elor ilor ului ele ile lor ati eaza eze ez am au at ata ate asc esc este ul ui le ea ei ii ie ia a e i u t`,
  changes: [
    [/z$/, 'd'],
    [/i$/, ''],
  ],
})
const polish = language('polish', {
  grammar: `dlaczego ktos mozna musi i w z na do nie sie jest sa to ze o za po od dla jak kto co kiedy gdzie ktory ktora ktore ktorych przez przy ale lub oraz
    byl byla bylo byly my nasz nasza nasze tego tym ten ta te czy juz ma maja we ze u`,
  endings: `owalismy owaliscie owaniem owania owanie alismy ilismy ylismy elismy owali owala owal ujemy uje uja owac iami ami ach ych ich ymi imi ego emu iego aniem ania anie ono ala alo ali aly ila ilo ili yla yli ela eli amy emy imy ymy ac ic yc ec al il yl el owi ow om em ej ie ia io iu a e i o u y iaja aja eja ial iala iali`,
  changes: [[/i$/, '']],
})
const czech = language('czech', {
  grammar: `proc nekdo muze musi a v ve z ze na do ne se je jsou to ze o za po od pro jak kdo co kdy kde ktery ktera ktere pri ale nebo byl byla bylo byly
    my nas nase tento tato toto jsme uz ma maji s u si by`,
  endings: `ovali ovala oval ovat ujeme uje uji ami emi ach ich ech ych eho emu ymi imi eni ani ali ala alo il ila ili el ela eli at it et ovi um em am im ou ej a e i o u y aji eji ne nou nul`,
  changes: [[/i$/, '']],
})
const hungarian = language('hungarian', {
  grammar: `miert valaki lehet a az es nem hogy ki mi mikor hol hogyan melyik miert van volt vagy meg is egy ezt azt ez de csak mar mint minden be fel el
    le kell lesz voltak vannak nekunk mi kik`,
  endings: `okat eket akat oket jaink eink aink tunk ottuk ettuk attuk tuk tek jak jek nak nek ban ben bol tol rol hoz hez val vel ert kent unk juk iuk uk nal nel ott ett att ok ek ak ot et at om em am od ed ad ba be ra re on en an ja je ik ni va ve it i k t a e`,
  prefix: /^(meg|el|ki|be|fel|le)/,
  changes: [[/([bdfgklmnprst])\1$/, '$1']],
  compounds: true,
})
const turkish = language('turkish', {
  grammar: `neden niye etti ediyor oldu ve bir bu ile icin de da ne kim zaman nerede nasil hangi mi mu degil var yok olan olarak daha en ama veya gibi kadar sonra
    once biz siz onlar ben o su her ki cok`,
  endings: `larimizi lerimizi larinin lerinin larimiz lerimiz larini lerini larin lerin lari leri lar ler imizi umuzu imiz umuz iyoruz uyoruz iyor uyor ecegiz acagiz acak ecek dik duk tik tuk dim dum di du ti tu mis mus ildi uldu ilir ulur ir ur er ar nin nun dan den tan ten yla yle yi yu si su in un da ta te ya ye ma me mak mek il ul i u a e`,
  changes: [
    [/g$/, 'k'],
    [/b$/, 'p'],
    [/d$/, 't'],
  ],
})
const finnish = language('finnish', {
  grammar: `miksi voi pitaa joku sitten viela emme vain saa ja on ei se etta mika kuka milloin missa miten mita kun joka oli ovat tai mutta myos kuin niin me he te ne tama taman
    ole olla jos vain sen nyt jo jotka mitka kenen meidan`,
  endings: `immekin imme emme amme mme vat ivat tiin taan laan isten iden ien eja oja ista issa illa ilta ille ssa sta lla lta lle ksi seen siin hun hin han ita ia eita aa ta tta nut tu ttu et at ut it en an in on un i a e o u n t`,
  changes: [
    [/ks$/, 's'],
    [/([kpt])\1$/, '$1'],
    [/nn$/, 'nt'],
    [/ll$/, 'lt'],
    [/mm$/, 'mp'],
    [/[aeiou]+$/, ''],
  ],
  compounds: true,
})

/** Languages in Latin letters. */
export const latinLanguages: readonly Language[] = [
  german,
  dutch,
  swedish,
  danish,
  french,
  spanish,
  italian,
  portuguese,
  romanian,
  polish,
  czech,
  hungarian,
  turkish,
  finnish,
]

/** Russian, Ukrainian and their neighbours: the script tells them, so their words need no guess. */
export const cyrillic = language('cyrillic', {
  grammar: `должен должна должны почему зачем можно нужно має мають чому хтось кто-то треба и в во на не что с со по из за к от о об для как кто когда где какои какая какие которыи это мы вы они он она оно я ты был
    была было были есть но или же бы у до при мне нас наш наша наши их его ее все уже так і та не що з із зі від про як хто коли де
    якии яка які це ми ви вони він вона був була були є але або в у для до при наш наша наші його її всі вже`,
  endings: `ываете ывает ывают ываем ивает ивают ировали ировал ирует ировать уемо уеться ували увала ував увати ует уют уем ують уе овали овал овать ением ения ение ению енням ення яете яет яют яем аете ает ают аем аемо ають ае яемо яють яе ились илась лись лось лася или ила ило ил яли яла ял али ала ал ели ела ел ать ять ить еть ати яти ити іти ыть ав ив іть ят ит ет ут ют им ем иями ями ами иях ях ах ого его ому ему ыми ими ий ии ыи ои ая яя ое ее ые ие ых их ую юю ов ев еи ам ям ом ою ею ів іи ію ия иє ія іі а я о е и ы у ю ь і є ї`,
  changes: [
    [/([пбвмф])л$/, '$1'],
    [/нн$/, 'н'],
    [/([бвгджзклмнпрстфхцчш])[ое]к$/, '$1к'],
    [/і([бвгджзклмнпрстфхцчш])$/, 'о$1'],
    [/[ьиі]$/, ''],
  ],
})

function language(
  name: string,
  {
    grammar,
    endings,
    ...rest
  }: Omit<Language, 'name' | 'grammar' | 'endings'> & { readonly grammar: string; readonly endings: string },
): Language {
  const longestFirst = [...wordsIn(endings)].toSorted((a, b) => b.length - a.length)
  return { name, grammar: wordsIn(grammar), endings: longestFirst, ...rest }
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(withoutAccents(text).trim().split(/\s+/))
}
