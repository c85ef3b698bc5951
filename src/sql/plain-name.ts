import { lowerAscii } from './names'

/** The nearest name of letters, digits and underscores; empty when nothing is left. */
export function plainName(text: string): string {
  return lowerAscii(latin(text))
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, longestName)
    .replace(/_+$/, '')
}

const longestName = 60

/** A text in Latin letters, as far as its letters have a usual spelling there. */
function latin(text: string): string {
  const lower = text.normalize('NFC').toLowerCase()
  const spelled = [...withKana(lower)].map((one) => letters.get(one) ?? hangul(one) ?? one).join('')
  const bare = spelled.normalize('NFKD').replace(/\p{M}/gu, '')
  return [...bare].map((one) => letters.get(one) ?? one).join('')
}

/** Letters and their spellings, as `letter spelling` with a blank between pairs. */
function pairs(text: string): (readonly [string, string])[] {
  return text
    .trim()
    .split(/\s+/)
    .map((pair) => {
      const [letter = '', ...rest] = [...pair]
      return [letter, rest.join('').replace('-', '')] as const
    })
}

// A hyphen stands for nothing: the letter has no sound of its own.
const letters: ReadonlyMap<string, string> = new Map([
  ...pairs(
    'äae öoe üue ßss æae œoe øo åa łl đd ðd þth ıi ŋn ħh ŧt ĸk əe ƒf €eur £gbp №no µu ²2 ³3',
  ),
  ...pairs(
    'аa бb вv гg дd еe ёe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ- ыy ь- эe юyu яya іi їyi єye ґg ўu јj љlj њnj ћc ђdj џdz ѓg ќk ѕdz әa ғg қk ңn өo ұu үu һh',
  ),
  ...pairs(
    'αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo άa έe ήi ίi όo ύy ώo ϊi ϋy',
  ),
  ...pairs('אa בb גg דd הh וv זz חch טt יy כk ךk לl מm םm נn ןn סs עa פp ףp צts ץts קk רr שsh תt'),
  ...pairs(
    'اa أa إi آa بb تt ثth جj حh خkh دd ذdh رr زz سs شsh صs ضd طt ظz عa غgh فf قq كk لl مm نn هh ةa وw يy ىa ئy ؤw ءa پp چch ژzh گg کk یy ٠0 ١1 ٢2 ٣3 ٤4 ٥5 ٦6 ٧7 ٨8 ٩9',
  ),
  ...pairs(
    'աa բb գg դd եe զz էe ըe թt ժzh իi լl խkh ծts կk հh ձdz ղgh ճch մm յy նn շsh ոo չch պp ջj ռr սs վv տt րr ցts ւv փp քk օo ֆf',
  ),
  ...pairs(
    'აa ბb გg დd ეe ვv ზz თt იi კk ლl მm ნn ოo პp ჟzh რr სs ტt უu ფp ქk ღgh ყq შsh ჩch ცts ძdz წts ჭch ხkh ჯj ჰh',
  ),
])

const firsts = 'g kk n d tt r m b pp s ss - j jj ch k t p h'.replace('-', '').split(' ')
const vowels = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ')
const lasts = '- k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.replace('-', '').split(' ')

/** A Korean syllable; undefined for any other character. */
function hangul(one: string): string | undefined {
  const code = (one.codePointAt(0) ?? 0) - 0xac00
  if (code < 0 || code >= 11_172) return undefined
  const first = firsts[Math.floor(code / 588)] ?? ''
  return `${first}${vowels[Math.floor((code % 588) / 28)] ?? ''}${lasts[code % 28] ?? ''}`
}

const kana: ReadonlyMap<string, string> = new Map(
  pairs(
    'あa いi うu えe おo かka きki くku けke こko がga ぎgi ぐgu げge ごgo さsa しshi すsu せse そso ざza じji ずzu ぜze ぞzo たta ちchi つtsu てte とto だda ぢji づzu でde どdo なna にni ぬnu ねne のno はha ひhi ふfu へhe ほho ばba びbi ぶbu べbe ぼbo ぱpa ぴpi ぷpu ぺpe ぽpo まma みmi むmu めme もmo やya ゆyu よyo らra りri るru れre ろro わwa をo んn ゔvu ぁa ぃi ぅu ぇe ぉo',
  ),
)
const small: Readonly<Record<string, string>> = { ゃ: 'ya', ゅ: 'yu', ょ: 'yo' }

/** A text with the syllables of Japanese in Latin letters. */
function withKana(text: string): string {
  const plain = text.replace(/[ァ-ヴ]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0x60))
  let out = ''
  let isDoubled = false
  for (const one of plain) {
    const glide = small[one]
    if (one === 'っ') {
      isDoubled = true
    } else if (glide !== undefined && /[a-z]i$/.test(out)) {
      out = out.slice(0, -1) + (/(sh|ch|j)i$/.test(out) ? glide.slice(1) : glide)
    } else if (one !== 'ー') {
      const spelled = kana.get(one) ?? glide ?? one
      out += isDoubled ? `${spelled[0] ?? ''}${spelled}` : spelled
      isDoubled = false
    }
  }
  return out
}
