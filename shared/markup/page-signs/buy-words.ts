/** Texts of controls that put a product into a cart or buy it, lower case, by language. */
const BUY: readonly string[] = [
  // English
  'add to (?:my |your |the |shopping )?(?:cart|bag|basket|trolley|order|box|tote)',
  '(?:put|place) in (?:cart|bag|basket)',
  'buy(?: it)? now',
  'buy$',
  'buy this',
  'pre-?order',
  'order now',
  'purchase$',
  'purchase now',
  'choose options',
  'select options',
  // German
  'in den (?:waren|einkaufs)?korb',
  'in den einkaufswagen',
  'in die (?:einkaufs)?tasche',
  '(?:jetzt |sofort |artikel )?kaufen$',
  'zum warenkorb hinzufügen',
  '(?:jetzt |vor)?bestellen$',
  // French
  'ajouter (?:au|à (?:mon|votre|la)|dans (?:le|mon)) (?:panier|caddie|sac|cabas)',
  'ajouter$',
  "j[’']achète",
  'acheter',
  '(?:pré)?commander$',
  // Spanish and Portuguese
  '(?:añadir|agregar|añade|agrega|poner) (?:al|a la|a mi|en el|en la) (?:carr(?:ito|o)|cesta|bolsa|compra)',
  'comprar',
  'adicionar (?:ao|à|a|na|no) (?:carrinho|cesto|cesta|sacola|saco)',
  '(?:colocar|pôr) no carrinho',
  'afegi[rx] a(?:l| la) (?:cistella|carret)',
  // Italian
  'aggiungi (?:al|alla|nel) (?:carrello|borsa|sacca)',
  'acquista',
  'compra(?: ora| subito)?$',
  // Dutch
  '(?:in|toevoegen aan) (?:mijn |je |de |het )?winkel(?:wagen|mand|mandje|wagentje|tas)',
  '(?:nu )?bestellen',
  '(?:nu )?kopen$',
  // Swedish, Norwegian, Danish, Icelandic
  'lägg (?:i|till i) (?:varukorg|kundvagn|korg|kassen)',
  'köp(?: nu)?$',
  'legg (?:i|til i) (?:handlekurv|handlevogn|kurv)',
  'kjøp(?: nå)?$',
  '(?:læg|tilføj|føj) (?:i|til) (?:indkøbs)?kurv',
  'køb(?: nu)?$',
  'setja í körfu',
  'bæta í körfu',
  // Finnish and Estonian
  'lisää (?:ostos)?koriin',
  'osta(?: nyt| kohe)?$',
  'lisa (?:ostu)?korvi',
  // Latvian and Lithuanian
  '(?:ielikt|pievienot|likt) (?:groz[āa]|grozam|pirkumu)',
  'pirkt',
  'į krepšelį',
  'dėti į',
  // Polish, Czech, Slovak
  'do koszyka',
  'kup(?: teraz|uję)?$',
  'do (?:nákupního )?koší?k[ua]',
  'koupit',
  'kúpiť',
  // Hungarian and Romanian
  'kosárba',
  'megveszem',
  'megrendel',
  'ad[aă]ug[aă] [iî]n (?:co[sșş]|c[aă]rucior)',
  'cump[aă]r[aă]',
  // Croatian, Serbian, Slovene
  '(?:dodaj )?u (?:košaricu|korpu)',
  'v košarico',
  'kupi(?: odmah)?$',
  // Greek and Turkish
  '(?:προσθήκη )?στο καλάθι',
  'αγορά',
  'sepete (?:ekle|at)',
  'satın al',
  // Russian, Ukrainian, Bulgarian
  'в корзину',
  'купить',
  'заказать$',
  '(?:до|у|в) (?:кошика|кошик)',
  'купити',
  'в количката',
  'купи$',
  // Arabic, Hebrew, Persian
  '(?:أضف|اضف|إضافة|اضافة|أضيف) (?:إلى|الى|للسلة|لعربة|إلي)',
  'اشتر[يِ]?',
  'شراء',
  'הוס(?:ף|פה|יפו) ל(?:סל|עגלה)',
  'קנ(?:ה|ו|ייה) (?:עכשיו|עכשו)',
  'افزودن به سبد',
  'خرید',
  // Hindi, Thai, Vietnamese, Indonesian, Malay
  'कार्ट में',
  'खरीदें',
  '(?:เพิ่ม|หยิบ|ใส่).{0,8}(?:ตะกร้า|รถเข็น)',
  'ซื้อ',
  'thêm vào giỏ',
  'mua (?:ngay|hàng)',
  '(?:tambah|tambahkan|masukkan) ke (?:keranjang|troli)',
  'beli(?: sekarang)?$',
  // Japanese, Korean, Chinese
  'カート(?:に|へ)',
  'かご(?:に|へ)',
  '購入',
  '今すぐ買',
  '注文する',
  '장바구니',
  '구매',
  '(?:加入|放入|加到|添加到)(?:购物|購物)',
  '(?:立即|立刻|马上|直接)?(?:购买|購買)$',
]

/** The control's place when there is nothing left to sell, or nothing yet. */
const SOLD_OUT: readonly string[] = [
  'sold out',
  'out of stock',
  '(?:notify|email|tell) me',
  'currently unavailable',
  'ausverkauft',
  'nicht (?:auf lager|verfügbar)',
  'épuisé',
  'rupture de stock',
  'agotado',
  'sin stock',
  'esgotado',
  'avise-me',
  'esaurito',
  'uitverkocht',
  'slutsåld',
  'udsolgt',
  'utsolgt',
  'loppu',
  'wyprzedane',
  'vyprodáno',
  'vypredané',
  'elfogyott',
  'stoc epuizat',
  'нет в наличии',
  'немає в наявності',
  'tükendi',
  'εξαντλ',
  'نفد',
  'אזל',
  'stokta yok',
  'habis',
  'hết hàng',
  '売り切れ',
  '在庫切れ',
  '품절',
  '售罄',
  '缺货',
  '售完',
]

/** What such words are followed by where no goods are sold. */
const NOT_GOODS =
  /ticket|\bsubscri|\babo\b|abonn|member|guide|\bhistory|\blist\b|\bmehr\b|gift ?card balance|how to|\bad(?:s|vert)|\bstocks?\b|shares|crypto|bitcoin/

const anyOf = (patterns: readonly string[]) =>
  new RegExp(`^[^\\p{L}]{0,20}(?:${patterns.join('|')})`, 'u')
const BUY_TEXT = anyOf(BUY)
const SOLD_OUT_TEXT = anyOf(SOLD_OUT)

/** A control with a longer text is a card or a banner. */
const MAX_CONTROL = 60

/** What the text of a button or link offers; null for anything but goods. */
export function readControl(text: string): 'buy' | 'sold_out' | null {
  const line = text.replace(/\s+/g, ' ').trim().toLowerCase()
  if (line === '' || line.length > MAX_CONTROL || NOT_GOODS.test(line)) return null
  if (BUY_TEXT.test(line)) return 'buy'
  return SOLD_OUT_TEXT.test(line) ? 'sold_out' : null
}

/** Names that developers give to such controls, whatever the language of the shop. */
const BUY_NAME =
  /add-?_?(?:to|2)-?_?(?:cart|bag|basket|trolley)|single_add|btn-?_?(?:cart|buy)\b|\bbuy-?_?(?:now|button|btn|box)\b|product-form__(?:cart-)?submit|\/cart\/add|checkout\/cart\/add|[?&]add-to-cart=|\/basket\/add|addproduct|cart-?add\b|(?:in|to)-?warenkorb|add_to_basket/i

/** What has such a name and is no control of one product. */
const NOT_A_BUTTON = /popup|modal|overlay|drawer|message|notification|success|toast|bulk|all-?to/i

export const isBuyName = (name: string): boolean =>
  name.length < 2_000 && BUY_NAME.test(name) && !NOT_A_BUTTON.test(name)
