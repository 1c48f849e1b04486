import type { PageElement } from '../html/elements.ts'

/** Texts of controls that put a product into a cart, lower case; nothing else uses them. */
const CART: readonly string[] = [
  'add to (?:my |your |the |shopping )?(?:cart|bag|basket|trolley|order|box|tote)',
  '(?:put|place) in (?:cart|bag|basket)',
  'in den (?:waren|einkaufs)?korb',
  'in den einkaufswagen',
  'in die (?:einkaufs)?tasche',
  'zum warenkorb hinzufügen',
  'ajouter (?:au|à (?:mon|votre|la)|dans (?:le|mon)) (?:panier|caddie|sac|cabas)',
  '(?:añadir|agregar|añade|agrega|poner) (?:al|a la|a mi|en el|en la) (?:carr(?:ito|o)|cesta|bolsa|compra)',
  'adicionar (?:ao|à|a|na|no) (?:carrinho|cesto|cesta|sacola|saco)',
  '(?:colocar|pôr) (?:no carrinho|n[ao] (?:sacola|cesta|cesto))',
  'afegi[rx] a(?:l| la) (?:cistella|carret)',
  'aggiungi (?:al|alla|nel) (?:carrello|borsa|sacca)',
  '(?:in|toevoegen aan) (?:mijn |je |de |het )?winkel(?:wagen|mand|mandje|wagentje|tas)',
  'lägg (?:i|till i) (?:varukorg|kundvagn|korg|kassen)',
  'legg (?:i|til i) (?:handlekurv|handlevogn|kurv)',
  '(?:læg|tilføj|føj) (?:i|til) (?:indkøbs)?kurv',
  'setja í körfu',
  'bæta í körfu',
  'lisää (?:ostos)?koriin',
  'lisa (?:ostu)?korvi',
  '(?:ielikt|pievienot|likt) (?:groz[āa]|grozam|pirkumu)',
  'į krepšelį',
  'dėti į',
  'do koszyka',
  'do (?:nákupního )?koší?k[ua]',
  'kosárba',
  'ad[aă]ug[aă] [iî]n (?:co[sșş]|c[aă]rucior)',
  '(?:dodaj )?u (?:košaricu|korpu)',
  'v košarico',
  'shto në (?:shportë|karrocë)',
  '(?:додади|стави) во кошничка',
  '(?:додај|додајте|стави) у корпу',
  'səbətə (?:at|əlavə)',
  'კალათაში დამატება',
  '(?:დაამატე|დამატება) კალათაში',
  '(?:προσθήκη )?στο καλάθι',
  'sepete (?:ekle|at)',
  'в корзину',
  '(?:до|у|в) (?:кошика|кошик)',
  'в количката',
  '(?:أضف|اضف|إضافة|اضافة|أضيف) (?:إلى|الى|للسلة|لعربة|إلي)',
  'הוס(?:ף|פה|יפו) ל(?:סל|עגלה)',
  'افزودن به سبد',
  'कार्ट में',
  'কার্টে যোগ',
  '(?:เพิ่ม|หยิบ|ใส่).{0,8}(?:ตะกร้า|รถเข็น)',
  'thêm vào giỏ',
  '(?:tambah|tambahkan|masukkan)(?: ke)? (?:keranjang|troli)',
  '\\+ ?keranjang',
  'カート(?:に|へ)',
  '(?:かご|カゴ)(?:に|へ)',
  '장바구니',
  '(?:加入|放入|加到|添加到)(?:购物|購物)',
]

/** Texts that begin by offering to buy; links to other things may say the same. */
const BUY: readonly string[] = [
  'buy(?: it)? now',
  'buy$',
  'buy this',
  'pre-?order',
  'order now',
  'purchase$',
  'purchase now',
  'choose options',
  'select options',
  '(?:jetzt |sofort |artikel )?kaufen$',
  '(?:jetzt |vor)?bestellen$',
  'ajouter$',
  "j[’']achète",
  'acheter',
  '(?:pré)?commander$',
  'comprar',
  'acquista',
  'compra(?: ora| subito)?$',
  '(?:nu )?bestel(?:len|(?: nu)?$)',
  '(?:nu )?kopen$',
  'köp(?: nu)?$',
  'kjøp(?: nå)?$',
  'køb(?: nu)?$',
  'osta(?: nyt| kohe)?$',
  'pirkt',
  'kup(?: teraz|uję)?$',
  'koupit',
  'kúpiť',
  'megveszem',
  'megrendel',
  'cump[aă]r[aă]',
  'kupi(?: odmah)?$',
  'αγορά',
  'satın al',
  'купить',
  'заказать$',
  'купити',
  'купи$',
  'اشتر[يِ]?',
  'شراء',
  'קנ(?:ה|ו|ייה) (?:עכשיו|עכשו)',
  'خرید',
  'खरीदें',
  'ซื้อ',
  'mua (?:ngay|hàng)',
  'beli(?: sekarang)?$',
  '購入',
  '今すぐ買',
  '注文する',
  '(?:바로 ?)?구매',
  '주문하기',
  '(?:立即|立刻|马上|直接)?(?:购买|購買)$',
]

/** Texts that say that nothing is left to sell. */
const SOLD_OUT: readonly string[] = [
  'sold ?out',
  'out of stock',
  '(?:currently |temporarily )?unavailable',
  'no longer available',
  'ausverkauft',
  'vergriffen',
  'nicht (?:mehr )?(?:auf lager|verfügbar|lieferbar|vorrätig)',
  'épuisé',
  '(?:en )?rupture de stock',
  'indisponible',
  'agotado',
  'sin (?:stock|existencias)',
  'no disponible',
  'esgotado',
  'sem estoque',
  'indisponível',
  'esaurito',
  'non disponibile',
  'uitverkocht',
  'niet (?:meer )?(?:op voorraad|leverbaar|beschikbaar)',
  'slutsåld',
  'slut i lager',
  'udsolgt',
  'utsolgt',
  'loppu(?:unmyyty|nut)?',
  'wyprzedan[eyo]',
  'brak w magazynie',
  'niedostępn[yae]',
  'vyprodáno',
  'vypredané',
  'elfogyott',
  'nincs (?:készleten|raktáron)',
  '(?:stoc )?epuizat',
  'нет в наличии',
  'распродано',
  'немає в наявності',
  'tükendi',
  'εξαντλ\\p{L}*',
  'نفد\\p{L}*(?: (?:من )?\\p{L}+)?',
  'אזל(?: מ?ה?מלאי)?',
  'stokta yok',
  '(?:stok )?habis',
  'hết hàng',
  '売り?切れ',
  '在庫切れ',
  '完売',
  '品切れ',
  '품절',
  '(?:已)?售罄',
  '缺货',
  '已?售完',
]

/** Texts in the control's place that offer a message in place of the product. */
const LATER: readonly string[] = ['(?:notify|email|tell) me', 'avise-me']

/** Words that follow where no goods are sold. */
const NOT_GOODS =
  /ticket|\bsubscri|\babo\b|abonn|member|guide|\bhistory|\blist\b|\bmehr\b|gift ?card balance|how to|\bad(?:s|vert)|(?<!out of )\bstocks?\b|shares|crypto|bitcoin/

/** Links to the cart, which put nothing into it. */
const TO_CART =
  /przej|przejd|zobacz|přejít|prejsť|zobrazit|перейти|переглянути|mergi|vezi|ugrás|gehe|git\b|view|voir|\bver\b|vedi|vai al|bekijk|مشاهدة|عرض/

const CART_TEXT = new RegExp(`(?:${CART.join('|')})`, 'u')
const beginsWith = (patterns: readonly string[]) =>
  new RegExp(`^[^\\p{L}]{0,20}(?:${patterns.join('|')})`, 'u')
const BUY_TEXT = beginsWith(BUY)
const SOLD_OUT_TEXT = beginsWith([...SOLD_OUT, ...LATER])
/** What else is in a sentence that says so: `Dieser Artikel ist leider ausverkauft.` */
const AROUND_IT =
  'currently|temporarily|sorry|unfortunately|this|the|item|product|is|leider|derzeit|zurzeit|zur zeit|momentan|dies(?:er|es)|artikel|produkt|ist|actuellement|malheureusement|ce|produit|article|est|actualmente|este|producto|está|momentaneamente|questo|prodotto|è|produto|momenteel|helaas|tijdelijk|deze?|dit|tillfälligt|desværre|dessverre|товар|временно|ürün'
const ONLY_SOLD_OUT = new RegExp(
  `^(?:[^\\p{L}]|(?:${AROUND_IT})(?!\\p{L}))*(?:${SOLD_OUT.join('|')})[^\\p{L}]*$`,
  'u',
)

/** A control with a longer text is a card or a banner. */
const MAX_CONTROL = 60

/** What the text of a button or link offers; null for anything but goods. */
export function readControl(text: string): 'cart' | 'buy' | 'sold_out' | null {
  const line = text.replace(/\s+/g, ' ').trim().toLowerCase()
  if (line === '' || line.length > MAX_CONTROL || NOT_GOODS.test(line)) return null
  if (CART_TEXT.test(line) && !TO_CART.test(line)) return 'cart'
  if (BUY_TEXT.test(line)) return 'buy'
  return SOLD_OUT_TEXT.test(line) ? 'sold_out' : null
}

/** Whether a line says that the product is sold out, and nothing else, as `Leider ausverkauft!`. */
export function isSoldOutLine(text: string): boolean {
  const line = text.replace(/\s+/g, ' ').trim().toLowerCase()
  return line.length <= MAX_CONTROL && ONLY_SOLD_OUT.test(line)
}

/** Names that developers give to such controls, independent of the store's language. */
const BUY_NAME =
  /add-?_?(?:to|2)-?_?(?:cart|bag|basket|trolley)|single_add|btn-?_?(?:cart|buy)\b|\bbuy-?_?(?:now|button|btn|box)\b|product-form__(?:cart-)?submit|\/cart\/add|checkout\/cart\/add|[?&]add-to-cart=|\/basket\/add|addproduct|cart-?add\b|(?:in|to)-?warenkorb|add_to_basket/i

/** Elements with such a name that are not a product's control. */
const NOT_A_BUTTON = /popup|modal|overlay|drawer|message|notification|success|toast|bulk|all-?to/i

export const isBuyName = (name: string): boolean =>
  name.length < 2_000 && BUY_NAME.test(name) && !NOT_A_BUTTON.test(name)

const STATED = new Set(['p', 'span', 'div'])

/** Whether an element has such a name as developers give to what says how many are left. */
export const namesStock = ({ name, attributes }: PageElement, names: RegExp): boolean =>
  STATED.has(name) &&
  attributes.some((each) => /^(?:class|id)$/.test(each.name) && names.test(each.value))
