import { expect, test } from 'vitest'
import { type Page, readPage } from './page.ts'
import { judgeKind } from './product-page.ts'
import { mainProduct } from './products.ts'
import { LANGUAGES, type Language, THEMES, type Theme, type Thing } from './testing/themes.ts'

const HOST = 'https://shop.example'
const MOST = 12
const MARKUPS = ['none', 'json-ld', 'microdata', 'ItemList'] as const
type Markup = (typeof MARKUPS)[number]

const block = (value: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...value })}</script>`

const thingOf = (theme: Theme, { buy, price, name }: Language, id: number): Thing => ({
  ...{ id, url: theme.address(id), buy },
  ...{ name: `${name} ${id}`, price: price(id + 20) },
})

const markupOf = ({ name, url, id }: Thing) => ({
  ...{ '@type': 'Product', name, url: HOST + url, sku: `K-${id}` },
  offers: { '@type': 'Offer', price: '49.90', priceCurrency: 'EUR' },
})

/** Cards as the theme prints them, and the markup for them. */
function cardsOf(theme: Theme, things: readonly Thing[], markup: Markup) {
  const microdata = ({ name, url }: Thing) =>
    markup !== 'microdata'
      ? ''
      : ` itemscope itemtype="https://schema.org/Product"><meta itemprop="name" content="${name}"><link itemprop="url" href="${url}"><span itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="9"><meta itemprop="priceCurrency" content="EUR"></span`
  const list = {
    '@type': 'ItemList',
    itemListElement: things.map((each, n) => ({
      ...{ '@type': 'ListItem', position: n + 1, item: markupOf(each) },
    })),
  }
  const blocks = { none: [], microdata: [], 'json-ld': things.map(markupOf), ItemList: [list] }
  return {
    head: blocks[markup].map(block).join(''),
    body: theme.list(things.map((each) => theme.card(each, microdata(each))).join('')),
  }
}

const HEADER =
  '<header><a href="/"><img src="/logo.png" alt="Shop"></a><a href="/cart">0</a><ul><li><a href="/copper-kettles">Copper</a></li><li><a href="/pans">Pans</a></li></ul></header><div class="crumbs"><a href="/">Home</a> <a href="/kitchen">Kitchen</a></div>'
const read = (path: string, title: string, body: string, head = ''): Page =>
  readPage(
    `<title>${title} | Shop</title>${head}${HEADER}<main>${body}</main><footer>Shop</footer>`,
    HOST + path,
  )

/** One card to twelve, each with each kind of markup, in all languages. */
const CASES = THEMES.flatMap((theme, t) =>
  MARKUPS.flatMap((markup, m) =>
    Array.from({ length: MOST }, (_, index) => {
      const count = index + 1
      const language = LANGUAGES[(t + m + index) % LANGUAGES.length] as Language
      const things = Array.from({ length: count }, (_, n) => thingOf(theme, language, n + 2))
      return { theme, markup, count, language, things, turn: t + m + index }
    }),
  ),
)
const nameOf = ({ theme, markup, count, language }: (typeof CASES)[number]) =>
  `${theme.platform}, ${count}, ${markup}, ${language.lang}`

test('one card or twelve are a list in every theme', () => {
  const wrong = CASES.filter(({ theme, things, markup, language: { name } }) => {
    const { head, body } = cardsOf(theme, things, markup)
    const page = read(theme.category, name, `<h1>${name}</h1><p>From 9 litres.</p>${body}`, head)
    return judgeKind(page).is === 'product' || (markup !== 'ItemList' && mainProduct(page) !== null)
  })
  expect(wrong.map(nameOf)).toEqual([])
})

test('a product with others above or below it is a product, and only its own markup is its own', () => {
  const wrong = CASES.filter(({ theme }) => theme.one_button !== true).flatMap((each) => {
    const { theme, things, markup, language, turn } = each
    const own = thingOf(theme, language, 1)
    const { head, body } = cardsOf(theme, things, markup)
    const others = `<h2>You may like</h2>${body}`
    const isBelow = turn % 3 !== 0
    const isMarked = turn % 4 === 1
    const html = isBelow ? theme.product(own) + others : others + theme.product(own)
    const page = read(own.url, own.name, html, head + (isMarked ? block(markupOf(own)) : ''))
    const said = [judgeKind(page).is, mainProduct(page)?.name ?? null]
    const right = ['product', isMarked ? own.name : null]
    return said.join() === right.join() ? [] : [`${nameOf(each)}: ${said}`]
  })
  expect(wrong).toEqual([])
})

const english = (id: number): Thing => ({
  ...{ id, url: `/kettle-${id}`, name: `Steel kettle ${id}` },
  ...{ price: `€ ${id + 20}.90`, buy: 'Add to cart' },
})
const some = (theme: Theme, count: number) =>
  theme.list(Array.from({ length: count }, (_, n) => theme.card(english(n + 2), '')).join(''))
const text = (line: string, times = 40) => `<p>${`${line} `.repeat(times)}</p>`
const BUTTON = '<button>Add to cart</button>'
const TEXT = text('Of steel.')
const OWN = `<h1>Steel kettle 1</h1><img src="/i.jpg" alt=""><b>€ 21.90</b><form>${BUTTON}</form>${TEXT}`
const STORY = text('Our kettles are of steel, and from € 19.90.')
const AGAIN = `<b>€ 21.90</b>${BUTTON}`
const CART =
  '<h1>Cart</h1><table><tr><td><a href="/kettle-9"><img alt="Kettle 9"></a></td><td><a href="/kettle-9">Kettle 9</a></td><td>€ 12.00</td><td><input name="quantity"></td></tr></table><a href="/checkout">Checkout</a>'
const STATED = '<p class="stock out-of-stock">Out of stock</p>'

test.each<
  [string, 'product' | 'other', path: string, (cards: (count: number) => string) => string]
>([
  [
    'a category of one with much text',
    'other',
    '/kettles',
    (cards) => `<h1>Kettles</h1>${STORY}${cards(1)}${STORY}`,
  ],
  [
    'a search',
    'other',
    '/find?q=kettle',
    (cards) => `<h1>Steel kettle</h1><form><input name="q"><button>Find</button></form>${cards(2)}`,
  ],
  ['a home page', 'other', '/', (cards) => `<h1>Fine kettles</h1>${cards(3)}`],
  ['a landing page', 'other', '/sale-of-kettles', (cards) => `<h1>Sale of kettles</h1>${cards(2)}`],
  ['a cart', 'other', '/my/things', (cards) => `${CART}${cards(2)}`],
  [
    'an article with a teaser',
    'other',
    '/five-kettles',
    (cards) => `<article><h1>Five kettles</h1>${STORY}${cards(1)}${STORY}</article>`,
  ],
  [
    'one button for all that is chosen',
    'other',
    '/kettles',
    (cards) => `<h1>Kettles</h1><form>${cards(2)}${BUTTON}</form>`,
  ],
  [
    'a list with others at its side',
    'other',
    '/kettles',
    (cards) =>
      `<div class="side">${cards(2)}</div><div class="main"><h1>Kettles</h1>${cards(1)}</div>`,
  ],
  [
    'a product with others at its side',
    'product',
    '/kettle-1',
    (cards) => `<div class="side">${cards(2)}</div><div class="main">${OWN}</div>`,
  ],
  [
    'a second button that stays in view',
    'product',
    '/kettle-1',
    (cards) =>
      `${OWN}${cards(4)}<div class="sticky"><a href="#top"><img src="/i.jpg" alt="">Steel kettle 1</a>${AGAIN}</div>`,
  ],
  [
    'sold out, by its button',
    'product',
    '/kettle-1',
    (cards) =>
      `<h1>Steel kettle 1</h1><b>€ 21.90</b><button disabled>Sold out</button>${TEXT}${cards(3)}`,
  ],
  [
    'sold out, without a button',
    'product',
    '/kettle-1',
    (cards) => `<h1>Steel kettle 1</h1><b>€ 21.90</b>${STATED}${TEXT}${cards(3)}`,
  ],
])('%s is %s', (_, right, path, body) => {
  const wrong = THEMES.filter((theme) => {
    const page = read(
      path,
      /<h1>(.*?)<\/h1>/.exec(body(() => ''))?.[1] ?? '',
      body((n) => some(theme, n)),
    )
    return theme.one_button !== true && (judgeKind(page).is === 'product') !== (right === 'product')
  })
  expect(wrong.map(({ platform }) => platform)).toEqual([])
})

const rows = (ids: readonly number[], each: (thing: Thing) => string) =>
  ids.map((id) => each(english(id))).join('')
const columns = (more: string) =>
  `<div><h1>Steel kettle 1</h1></div><div class="row"><div><img alt=""></div><div class="buy">${more}<form>${BUTTON}</form></div></div>${TEXT}`

test.each<[string, 'product' | 'other', string]>([
  [
    'products in one, of WooCommerce',
    'product',
    `<h1>Steel kettle 1</h1><p>€ 9.00 – € 21.90</p><form class="cart grouped_form"><table>${rows([2, 3, 4], ({ url, name, price }) => `<tr><td><input name="quantity"></td><td><a href="${url}">${name}</a></td><td>${price}</td></tr>`)}</table>${BUTTON}</form>${TEXT}`,
  ],
  [
    'products in one, some of them sold out',
    'product',
    `<h1>Steel kettle 1</h1><p>€ 9.00 – € 21.90</p><form class="cart grouped_form"><table>${rows([2, 3, 4], ({ id, url, name, price }) => `<tr><td><a href="/product${url}">${name}</a></td><td>${price}${id === 3 ? STATED : ''}</td></tr>`)}</table>${BUTTON}</form>${TEXT}`,
  ],
  [
    'products in one, of Magento',
    'product',
    `<h1>Steel kettle 1</h1><form><table>${rows([2, 3, 4], ({ name, price }) => `<tr><td><strong>${name}</strong>${price}</td><td><input name="qty"></td></tr>`)}</table>${BUTTON}</form>${TEXT}`,
  ],
  [
    'a set with links',
    'product',
    `<h1>Steel kettle 1</h1><b>€ 99.00</b><form><ul>${rows([2, 3], ({ url, name, price }) => `<li><a href="${url}"><img alt="${name}"></a><a href="${url}">${name}</a> ${price}</li>`)}</ul>${BUTTON}</form>${TEXT}`,
  ],
  [
    'sold together',
    'product',
    `${OWN}<section><h2>Together</h2>${rows([2, 3], ({ url, name, price }) => `<div><a href="${url}"><img alt="${name}"></a><a href="${url}">${name}</a> ${price}</div>`)}${AGAIN}</section>`,
  ],
  [
    'a table of sizes',
    'product',
    `<h1>Steel kettle 1</h1>${TEXT}<table>${rows([2, 3, 4, 5, 6], ({ id, price }) => `<tr><td>${id} l</td><td>${price}</td><td>${BUTTON}</td></tr>`)}</table>`,
  ],
  [
    'links to other colours',
    'product',
    columns(
      `<b>€ 21.90</b><ul>${rows([2, 3], ({ url }) => `<li><a href="${url}"><img alt="Red"></a></li>`)}</ul><a href="/sizes"><img src="/r.svg" alt=""> Sizes</a>`,
    ),
  ],
  [
    'a link to one other colour',
    'product',
    columns('<b>€ 21.90</b><ul><li><a href="/kettle-2"><img alt="Red"></a></li></ul>'),
  ],
  [
    'the sign of its maker',
    'product',
    columns('<a href="/kiln"><img alt="Kiln"></a><p>No. 123</p><b>€ 21.90</b>'),
  ],
  ['the name of its maker', 'product', columns('<a href="/kiln">Kiln</a> <b>€ 21.90</b>')],
  [
    'the one before and the next',
    'product',
    `<div>${rows([2, 3], ({ url, name }) => `<a href="${url}"><img alt=""></a><a href="${url}">${name}</a>`)}</div>${OWN}`,
  ],
  [
    'a heading once more',
    'product',
    `<div>${OWN}</div><div class="again"><h3>Steel kettle 1</h3>${AGAIN}</div>`,
  ],
  [
    'a product of a theme that calls each page a blog',
    'product',
    `<div itemscope itemtype="https://schema.org/Blog">${OWN}</div>`,
  ],
  [
    'a blog with a product in it',
    'other',
    `<div itemscope itemtype="https://schema.org/Blog"><h1>Steel kettle 1</h1>${STORY}${rows([2], ({ url, name, price }) => `<div class="card"><a href="${url}"><img alt=""><h3>${name}</h3></a>${price} ${BUTTON}</div>`)}</div>`,
  ],
  [
    'a bar that buys it again, after one that is sold out',
    'product',
    `<div>${OWN}</div>${rows([2], ({ url, name, price }) => `<ul><li><a href="${url}"><img alt=""><h3>${name}</h3>${price}</a><a href="${url}">Read more</a></li></ul>`)}<div class="bar"><b>Steel kettle 1</b> ${AGAIN}</div>`,
  ],
  [
    'things without links',
    'other',
    `<h1>Steel kettle 1</h1><div>${rows([2, 3], ({ name }) => `<div class="card"><img alt=""><h3>${name}</h3>${AGAIN}</div>`)}</div>`,
  ],
  [
    'a heading of the first order in each',
    'other',
    `<h1>Kettles</h1>${rows([2, 3, 4, 5], ({ name }) => `<div><h1>${name}</h1>${AGAIN}</div>`)}`,
  ],
  [
    'a choice of what is left',
    'other',
    `<h1>Steel kettle 1</h1>€ 10 – € 90<div class="stock"><label>Out of stock</label></div>`,
  ],
  [
    'a mark on a card without a button',
    'other',
    `<h1>Steel kettle 1</h1>${rows([2], ({ url, name, price }) => `<div><span class="sold-out">Sold out</span><a href="${url}"><img alt=""><h3>${name}</h3>${price}</a></div>`)}`,
  ],
])('%s: %s', (_, right, body) => {
  const page = read('/kettle-1', 'Steel kettle 1', body)
  expect(judgeKind(page)).toMatchObject({ is: right })
})

test.each([
  [
    'plans',
    rows(
      [1, 2, 3],
      ({ id }) =>
        `<div class="plan"><h3>Plan ${id}</h3><b>$${id}9</b><a href="/signup?plan=${id}">Buy now</a></div>`,
    ),
  ],
  ['one plan', '<b>$9</b> a month <a href="/signup">Get started</a>'],
  [
    'another of its products',
    '<a href="/products/logs"><img alt="Logs"><h3>Logs</h3><b>$9</b></a><a href="/signup">Buy now</a>',
  ],
])('a page of software below /products/ with %s sells no goods', (_, body) => {
  const page = read(
    '/products/alerts',
    'Alerts',
    `<h1>Alerts</h1>${text('Know at once.', 120)}${body}`,
  )
  expect(judgeKind(page).is).toBe('other')
})
