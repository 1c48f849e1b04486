import type { ShopPlatform } from '../../../shared/audit/platforms/signs.ts'
import type { CheckName } from '../../../shared/audit/vocabulary.ts'

// Small sites in the manner of platforms' themes and of sites that are no shop. Each differs from
// the others in where its pages are and how they are written, and none of them is wrong.

/** A site by its pages; without a sitemap or links, a product is found by what is left. */
export interface OtherSite {
  name: string
  /** Path and query → HTML of the body, or a page with its own head. */
  pages: Record<string, string | { head?: string; body: string; lang?: string }>
  /** Addresses that the home page links, all pages unless given. */
  links?: string[]
  /** Path → text of sitemaps; one of all pages unless given. */
  sitemaps?: Record<string, string | Uint8Array>
  home?: { head?: string; body?: string }
  /** Paths that answer 403. */
  gated?: RegExp
  /** Addresses that must not be asked for, because they do something in the shop. */
  untouched?: RegExp
  /** Pages that must be judged; none where there is no shop. */
  judged: string[]
  /** More than the schema check, for sites whose products another check finds. */
  checks?: CheckName[]
  /** Gaps of the schema check that are true of this site. */
  gaps?: string[]
  /** The software that its pages show, with its sign. */
  platform?: { id: ShopPlatform; seen_by: string[] }
}

const MISSING = ['product_schema_missing']

const ld = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`

const words = (text: string, times = 60): string => `<p>${`${text} `.repeat(times)}</p>`

const offer = (price: string, currency: string) => ({
  '@type': 'Offer',
  price,
  priceCurrency: currency,
  availability: 'https://schema.org/InStock',
  shippingDetails: {
    '@type': 'OfferShippingDetails',
    shippingRate: { '@type': 'MonetaryAmount', value: 4, currency },
    shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'DE' },
  },
  hasMerchantReturnPolicy: {
    '@type': 'MerchantReturnPolicy',
    returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
    merchantReturnDays: 30,
    applicableCountry: 'DE',
  },
})

const product = (name: string, price: string, currency: string, more: object = {}) => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name,
  description: `${name}, made to last.`,
  image: 'https://cdn.example/a.jpg',
  brand: { '@type': 'Brand', name: 'Kiln' },
  sku: 'KILN-1',
  offers: offer(price, currency),
  ...more,
})

/** A page without markup: heading, price, control, description. */
const bare = (name: string, price: string, control: string): string =>
  `<main><nav class="breadcrumbs"><a href="/">⌂</a></nav><h1>${name}</h1><div class="price">${price}</div>${control}${words('Made by hand of oak, and oiled.')}</main>`

const button = (text: string) => `<form method="post"><button type="submit">${text}</button></form>`

/** What a server sends of an app that its scripts make. */
const SHELL = '<div id="root"></div><script src="/app.js"></script>'

/** A list of things as shops show it, each with a price and a button. */
const list = (paths: readonly string[], text: string): string =>
  `<h1>Everything</h1><ul>${paths
    .map(
      (path, n) =>
        `<li><a href="${path}">Thing ${n}</a><span>€ ${n + 1}9,00</span><button>${text}</button></li>`,
    )
    .join('')}</ul>`

/** Things as they stand below a product, or on a page of a category. */
const cards = (count: number): string =>
  `<ul>${Array.from({ length: count }, (_, n) => `<li><a href="https://elsewhere.example/${n}">Chair ${n}</a><span>€ ${n + 1}9,00</span><button>Add to cart</button></li>`).join('')}</ul>`

const marked = (name: string, price: string, currency: string, body = '') => ({
  head: ld(product(name, price, currency)),
  body: body || bare(name, `${price} ${currency}`, button('Add to cart')),
})

/** Pages that every site has, and that must not be taken for products. */
const AROUND = {
  '/about-us': `<h1>About us</h1>${words('We have been here since 1974.')}`,
  '/blog/five-ways-to-oil-a-table': `<h1>Five ways to oil a table</h1>${words('It costs $ 20 and an hour.')}`,
}

/** A shop of one page without markup, in one language. */
const inLanguage = (
  lang: string,
  path: string,
  name: string,
  price: string,
  control: string,
): OtherSite => ({
  name: `lang-${lang}`,
  pages: { ...AROUND, [path]: { lang, body: bare(name, price, button(control)) } },
  judged: [path],
  gaps: MISSING,
})

const urlset = (domain: string, paths: readonly string[], more = ''): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i" xmlns:xhtml="x">${paths
    .map(
      (path) =>
        `<url><loc>https://${domain}.example${path.replaceAll('&', '&amp;')}</loc>${more}</url>`,
    )
    .join('')}</urlset>`

const index = (domain: string, paths: readonly string[]): string =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>https://${domain}.example${path}</loc></sitemap>`).join('')}</sitemapindex>`

const og = (type: string, more = ''): string => `<meta property="og:type" content="${type}">${more}`

/** `gzip` packs a sitemap. */
export const otherSites = (gzip: (text: string) => Uint8Array): OtherSite[] => [
  // Filled by their scripts: the sitemap alone says what there is.
  {
    name: 'app-shell',
    links: [],
    pages: {
      '/product/oak-stool': SHELL,
      '/product/care-of-oak': `<h1>Care of oak</h1>${words('Oil it once a year.', 3)}<script src="/app.js"></script>`,
      '/stools': SHELL,
      '/about-us': SHELL,
    },
    judged: ['/product/oak-stool'],
    gaps: MISSING,
  },
  // A category that calls itself a product, for stars in search results, at an address as products
  // have.
  ...[
    {
      name: 'stars-on-category',
      of: 12,
      offers: { '@type': 'AggregateOffer', lowPrice: 19, priceCurrency: 'EUR' },
    },
    { name: 'stars-on-small-category', of: 3 },
  ].map(
    ({ name, of, offers }): OtherSite => ({
      name,
      pages: {
        [of > 3 ? '/produkte/stuehle' : '/chairs/']: {
          head: ld({
            '@type': 'Product',
            name: 'Chairs',
            brand: 'Kiln',
            aggregateRating: { ratingValue: 4.7, reviewCount: 12 },
            offers,
          }),
          body: `<h1>Chairs</h1>${cards(of)}`,
        },
      },
      judged: [],
    }),
  ),
  // Platforms, by their paths and the controls of their themes.
  {
    name: 'shopify',
    home: { head: '<script>var Shopify = Shopify || {}; Shopify.theme = {"id":1};</script>' },
    platform: { id: 'shopify', seen_by: ['the script variable Shopify.theme'] },
    pages: {
      ...AROUND,
      '/products/oak-table': bare(
        'Oak table',
        '€240,00',
        '<form action="/cart/add"><button name="add">Dodaj</button></form>',
      ),
      '/collections/tables': list(['/products/oak-table'], 'Quick view'),
    },
    sitemaps: {
      '/sitemap.xml': index('shopify', [
        '/sitemap_products_1.xml?from=1&amp;to=9',
        '/sitemap_pages_1.xml',
        '/sitemap_blogs_1.xml',
      ]),
      '/sitemap_products_1.xml?from=1&to=9': urlset(
        'shopify',
        ['/products/oak-table'],
        '<image:image><image:loc>https://cdn.example/oak.jpg</image:loc></image:image>',
      ),
    },
    links: ['/collections/tables'],
    judged: ['/products/oak-table'],
    gaps: MISSING,
  },
  {
    name: 'woocommerce',
    home: { head: '<meta name="generator" content="WooCommerce 9.4.1">' },
    platform: { id: 'woocommerce', seen_by: ['the generator WooCommerce'] },
    pages: {
      ...AROUND,
      '/product/oak-table/': bare(
        'Oak table',
        '240,00&nbsp;€',
        '<form class="cart"><input name="quantity" value="1"><button class="single_add_to_cart_button button alt">🛒</button></form>',
      ),
      '/product-category/tables/': list(['/product/oak-table/'], 'Info'),
    },
    sitemaps: {
      '/sitemap_index.xml': index('woocommerce', [
        '/post-sitemap.xml',
        '/product-sitemap.xml',
        '/product_cat-sitemap.xml',
      ]),
      '/product-sitemap.xml': urlset('woocommerce', ['/product/oak-table/']),
      '/product_cat-sitemap.xml': urlset('woocommerce', ['/product-category/tables/']),
    },
    links: [],
    judged: ['/product/oak-table/'],
    gaps: MISSING,
  },
  {
    // The controls of its loop are links, of the form that its address has.
    name: 'woocommerce-loop',
    pages: {
      '/sklep/': `<h1>Sklep</h1><ul>${[1, 2, 3, 4, 5]
        .map(
          (n) =>
            `<li><a href="/oferta/oak-${n}/">Oak ${n}</a><span>€ ${n}9,00</span><a href="?add-to-cart=${n}">Dodaj do koszyka</a><a href="?quick=${n}" rel="Nofollow">+</a></li>`,
        )
        .join('')}</ul>`,
      '/oferta/oak-1/': marked('Oak 1', '19.00', 'EUR'),
      '/oferta/oak-2/': marked('Oak 2', '29.00', 'EUR'),
    },
    sitemaps: {},
    links: ['/sklep/', '/koszyk/'],
    untouched: /add-to-cart|quick|koszyk/,
    judged: ['/oferta/oak-1/', '/oferta/oak-2/'],
  },
  {
    name: 'oscommerce',
    pages: {
      '/product_info.php?products_id=1': marked('Oak 1', '19.00', 'EUR'),
      '/product_info.php?products_id=2': marked('Oak 2', '29.00', 'EUR'),
    },
    sitemaps: {},
    links: [
      '/index.php?action=buy_now&products_id=1',
      '/product_info.php?products_id=1',
      '/index.php?action=buy_now&products_id=2',
      '/product_info.php?products_id=2',
    ],
    untouched: /buy_now/,
    judged: ['/product_info.php?products_id=1', '/product_info.php?products_id=2'],
  },
  {
    name: 'magento',
    home: { head: '<script type="text/x-magento-init">{}</script>' },
    platform: { id: 'magento', seen_by: ['scripts of the type text/x-magento-init'] },
    pages: {
      ...AROUND,
      '/oak-table-with-drawer.html': bare(
        'Oak table with drawer',
        '$240.00',
        '<button id="product-addtocart-button" class="action primary tocart"><span>Add to Cart</span></button>',
      ),
      '/furniture/tables.html': list(['/oak-table-with-drawer.html'], 'Compare'),
    },
    judged: ['/oak-table-with-drawer.html'],
    gaps: MISSING,
  },
  {
    name: 'prestashop',
    home: { head: '<meta name="generator" content="PrestaShop">' },
    platform: { id: 'prestashop', seen_by: ['the generator PrestaShop'] },
    pages: {
      ...AROUND,
      '/fr/tables/12-table-en-chene.html': bare(
        'Table en chêne',
        '240,00 €',
        '<button class="btn add-to-cart" data-button-action="add-to-cart">Ajouter au panier</button>',
      ),
      '/fr/3-tables': list(['/fr/tables/12-table-en-chene.html'], 'Aperçu'),
    },
    sitemaps: {
      '/sitemap.xml': `<urlset><url><loc><![CDATA[https://prestashop.example/fr/3-tables]]></loc></url>
        <url><loc><![CDATA[https://prestashop.example/fr/tables/12-table-en-chene.html]]></loc></url></urlset>`,
    },
    links: [],
    judged: ['/fr/tables/12-table-en-chene.html'],
    gaps: MISSING,
  },
  {
    name: 'bigcommerce',
    home: { head: '<meta name="platform" content="bigcommerce.stencil">' },
    platform: { id: 'bigcommerce', seen_by: ['the platform bigcommerce.stencil'] },
    pages: {
      ...AROUND,
      '/oak-dining-table/': bare(
        'Oak dining table',
        '$240.00',
        '<input id="form-action-addToCart" type="submit" value="Add to Cart">',
      ),
    },
    judged: ['/oak-dining-table/'],
    gaps: MISSING,
  },
  {
    name: 'shopware',
    pages: {
      ...AROUND,
      '/Eichentisch-geoelt/SW10014': bare(
        'Eichentisch geölt',
        '240,00 €*',
        '<button class="btn btn-buy">In den Warenkorb</button>',
      ),
    },
    judged: ['/Eichentisch-geoelt/SW10014'],
    gaps: MISSING,
  },
  {
    name: 'salesforce',
    pages: {
      ...AROUND,
      '/en/oak-table/25518447.html': bare(
        'Oak table',
        '$ 240.00',
        '<button class="add-to-cart btn" data-pid="25518447">Add to Bag</button>',
      ),
    },
    judged: ['/en/oak-table/25518447.html'],
    gaps: MISSING,
  },
  {
    // Its lists add the category to addresses, which robots.txt closes; the canonical ones are
    // open.
    name: 'salesforce-categories',
    pages: Object.fromEntries(
      [1, 2, 3, 4].flatMap((n) => {
        const path = `/en/oak-table-${n}/2551844${n}.html`
        const { head, body } = marked(`Oak table ${n}`, `${n}40.00`, 'EUR')
        const page = { head: `<link rel="canonical" href="${path}">${head}`, body }
        return [path, `${path}?cgid=new`].map((address) => [address, page])
      }),
    ),
    sitemaps: {
      '/robots.txt': 'User-agent: *\nDisallow: /*?',
      '/sitemap.xml': urlset(
        'salesforce-categories',
        [1, 2].map((n) => `/en/oak-table-${n}/2551844${n}.html`),
      ),
    },
    links: [1, 2, 3, 4].map((n) => `/en/oak-table-${n}/2551844${n}.html?cgid=new`),
    checks: ['schema', 'well_known'],
    judged: [
      '/en/oak-table-1/25518441.html',
      '/en/oak-table-2/25518442.html',
      '/en/oak-table-3/25518443.html?cgid=new',
      '/en/oak-table-4/25518444.html?cgid=new',
    ],
  },
  {
    name: 'wix',
    pages: { ...AROUND, '/product-page/oak-table': marked('Oak table', '240.00', 'USD') },
    judged: ['/product-page/oak-table'],
  },
  {
    name: 'squarespace',
    pages: {
      ...AROUND,
      '/shop/p/oak-table': bare(
        'Oak table',
        '$240.00',
        '<div class="sqs-add-to-cart-button" role="button">Add To Cart</div>',
      ),
    },
    judged: ['/shop/p/oak-table'],
    gaps: MISSING,
  },
  {
    name: 'marketplace',
    pages: {
      ...AROUND,
      '/listing/1047713/oak-table-by-hand': marked('Oak table by hand', '240.00', 'EUR'),
      '/shop/SomeSeller': `<h1>SomeSeller</h1>${words('Sells tables.')}`,
      '/c/home-and-living': list(['/listing/1047713/oak-table-by-hand'], 'Add to cart'),
    },
    judged: ['/listing/1047713/oak-table-by-hand'],
  },
  {
    name: 'script-of-one-page',
    pages: {
      ...AROUND,
      '/int.php?page=product&pid=4265': marked('Oak table', '240.00', 'EUR'),
      '/int.php?page=list&cat=3': list(['/int.php?page=product&pid=4265'], 'Details'),
    },
    judged: ['/int.php?page=product&pid=4265'],
  },
  // Products under folders that others give to categories, articles or services.
  ...[
    '/category/tables/oak-table-120',
    '/c/tables/oak-table-120',
    '/article/4711-vis-m8-inox',
    '/magazin/masa-din-stejar',
    '/gift-cards/oak-card',
  ].map(
    (path, n): OtherSite => ({
      name: `folder-${n}`,
      pages: { '/about-us': AROUND['/about-us'], [path]: marked('Oak table', '240.00', 'EUR') },
      judged: [path],
    }),
  ),
  {
    name: 'unknown-platform',
    pages: {
      ...AROUND,
      '/a/b/oak-table': bare('Oak table', '£240', button('Add to basket')),
      '/a/b/oak-chair': bare('Oak chair', '£90', button('Add to basket')),
    },
    judged: ['/a/b/oak-table', '/a/b/oak-chair'],
    gaps: MISSING,
  },
  {
    name: 'subdirectory',
    pages: {
      ...AROUND,
      '/store/en/catalogue/oak-table': bare('Oak table', '240 EUR', button('Buy now')),
      '/company/history': words('Since 1974.'),
    },
    judged: ['/store/en/catalogue/oak-table'],
    gaps: MISSING,
  },
  {
    name: 'through-a-category',
    pages: {
      '/tables': list(['/oak-table-120', '/oak-table-140'], 'Add'),
      '/oak-table-120': bare('Oak table 120', '€ 240', button('In winkelwagen')),
      '/oak-table-140': bare('Oak table 140', '€ 260', button('In winkelwagen')),
    },
    sitemaps: {},
    links: ['/tables'],
    judged: ['/oak-table-120', '/oak-table-140'],
    gaps: MISSING,
  },
  {
    name: 'gzip',
    pages: {
      ...AROUND,
      '/oak-table-120.html': bare('Oak table 120', '€ 240', button('Add to cart')),
    },
    sitemaps: {
      '/sitemap.xml': index('gzip', ['/sitemap-1.xml.gz']),
      '/sitemap-1.xml.gz': gzip(urlset('gzip', ['/oak-table-120.html', '/about-us'])),
    },
    links: [],
    judged: ['/oak-table-120.html'],
    gaps: MISSING,
  },
  {
    // It has moved to https, and its addresses have not.
    name: 'written-with-http',
    pages: {
      '/oak-table-120': marked('Oak table 120', '240.00', 'EUR'),
      '/oak-chair-9': marked('Oak chair 9', '90.00', 'EUR'),
    },
    sitemaps: {
      '/sitemap.xml':
        '<urlset><url><loc>http://written-with-http.example/oak-table-120</loc></url></urlset>',
    },
    links: ['http://written-with-http.example/oak-chair-9'],
    judged: ['/oak-table-120', '/oak-chair-9'],
  },
  {
    name: 'hreflang',
    pages: { '/de/eichentisch-120': bare('Eichentisch 120', '240 €', button('In den Warenkorb')) },
    sitemaps: {
      '/sitemap.xml': index('hreflang', ['/sitemap-all.xml']),
      '/sitemap-all.xml': index('hreflang', ['/sitemap-1.xml']),
      '/sitemap-1.xml': `<urlset xmlns:xhtml="x"><url><loc>https://other.test/oak-table-120</loc><xhtml:link rel="alternate" hreflang="de" href="https://hreflang.example/de/eichentisch-120"/></url></urlset>`,
    },
    links: [],
    judged: ['/de/eichentisch-120'],
    gaps: MISSING,
  },
  {
    name: 'feed',
    pages: { '/z/oak': bare('Oak', '240 EUR', '') },
    sitemaps: {
      '/feeds/products.tsv': `id\ttitle\tlink\tprice\n1\tOak\thttps://feed.example/z/oak\t240 EUR\n`,
    },
    links: [],
    home: {
      head: '<link rel="alternate" type="text/tab-separated-values" href="/feeds/products.tsv">',
    },
    checks: ['schema', 'feed'],
    judged: ['/z/oak'],
    gaps: MISSING,
  },
  {
    name: 'list-in-markup',
    pages: { '/x/7781': marked('Oak table', '240.00', 'EUR') },
    sitemaps: {},
    links: [],
    home: {
      head: ld({
        '@type': 'ItemList',
        itemListElement: [{ '@type': 'ListItem', position: 1, url: '/x/7781' }],
      }),
    },
    judged: ['/x/7781'],
  },
  {
    name: 'search-only',
    pages: {
      '/find?q=a': list(['/x/7781'], 'Details'),
      '/x/7781': marked('Oak table', '240.00', 'EUR'),
    },
    sitemaps: {},
    links: [],
    home: {
      head: ld({
        '@type': 'WebSite',
        potentialAction: {
          '@type': 'SearchAction',
          target: 'https://search-only.example/find?q={search_term_string}',
        },
      }),
    },
    judged: ['/x/7781'],
  },
  {
    name: 'one-product',
    pages: { '/contact': words('Write to us.') },
    home: {
      // The second is a review app's.
      head:
        ld(product('The one table', '240.00', 'EUR')) +
        ld({
          ...{ '@context': 'https://schema.org', '@type': 'Product', name: 'The one table' },
          aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.7', reviewCount: '12' },
        }),
      body: bare('The one table', '240,00 €', button('Buy now')),
    },
    judged: ['/'],
  },
  {
    // Its home page is the page of its product once more, and says so.
    name: 'one-product-twice',
    pages: { '/products/tent': marked('The one tent', '240.00', 'EUR') },
    home: {
      head: `${ld(product('The one tent', '240.00', 'EUR'))}<link rel="canonical" href="https://one-product-twice.example/products/tent">`,
      body: bare('The one tent', '240,00 €', button('Buy now')),
    },
    judged: ['/'],
  },
  {
    name: 'sizes',
    pages: {
      '/p/oak-shirt-p1200.html': {
        head: ld(
          ['S', 'M', 'L'].map((size) =>
            product('Oak shirt', '24.00', 'EUR', { size, sku: `KILN-${size}` }),
          ),
        ),
        body: bare('Oak shirt', '24,00 €', button('Add to bag')),
      },
    },
    judged: ['/p/oak-shirt-p1200.html'],
  },
  {
    name: 'sold-out',
    pages: {
      ...AROUND,
      '/products/oak-stool': {
        head: og('product'),
        body: bare('Oak stool', '€ 40', '<button disabled>Sold out</button>'),
      },
    },
    judged: ['/products/oak-stool'],
    gaps: MISSING,
  },
  {
    name: 'many-buttons-below',
    pages: {
      '/oak-table-9': `${bare('Oak table 9', '€ 240', button('Add to cart'))}${words('It is oiled.', 40)}${list(['/oak-chair-8', '/oak-stool-7'], 'Add to cart')}`,
      '/oak-chair-8': bare('Oak chair 8', '€ 90', button('Add to cart')),
    },
    judged: ['/oak-table-9', '/oak-chair-8'],
    gaps: MISSING,
  },
  {
    name: 'gated',
    pages: { '/products/oak-table': marked('Oak table', '240.00', 'EUR') },
    gated: /^\/products\//,
    judged: [],
  },
  {
    name: 'age-gate',
    pages: {
      '/products/oak-whisky': `<h1>Are you 18?</h1><form><button>Yes</button><button>No</button></form>`,
    },
    judged: [],
  },
  // Languages and currencies, scripts without spaces among them.
  inLanguage(
    'de',
    '/tisch-aus-eiche-geoelt',
    'Tisch aus Eiche geölt',
    '240,00 €',
    'In den Warenkorb',
  ),
  inLanguage(
    'fr',
    '/table-en-chene-huile',
    'Table en chêne huilé',
    '240,00 €',
    'Ajouter au panier',
  ),
  inLanguage('es', '/mesa-de-roble', 'Mesa de roble', '$24.990', 'Agregar al carro'),
  inLanguage('pt', '/mesa-de-carvalho', 'Mesa de carvalho', 'R$ 1.240,00', 'Adicionar ao carrinho'),
  inLanguage('it', '/tavolo-di-rovere', 'Tavolo di rovere', '240,00 €', 'Aggiungi al carrello'),
  inLanguage('nl', '/eiken-tafel', 'Eiken tafel', '€ 240,-', 'In winkelwagen'),
  inLanguage('pl', '/stol-debowy', 'Stół dębowy', '1 240,00 zł', 'Dodaj do koszyka'),
  inLanguage('cs', '/dubovy-stul', 'Dubový stůl', '5 990 Kč', 'Do košíku'),
  inLanguage('hu', '/tolgyfa-asztal', 'Tölgyfa asztal', '89 990 Ft', 'Kosárba'),
  inLanguage('ro', '/masa-din-stejar', 'Masă din stejar', '1.240,00 Lei', 'Adaugă în coș'),
  inLanguage('sv', '/ekbord', 'Ekbord', '2 490 kr', 'Lägg i varukorgen'),
  inLanguage('fi', '/tammipoyta', 'Tammipöytä', '240,00 €', 'Lisää ostoskoriin'),
  inLanguage('tr', '/mese-masa', 'Meşe masa', '4.990,00 TL', 'Sepete Ekle'),
  inLanguage('el', '/trapezi', 'Δρύινο τραπέζι', '240,00 €', 'Προσθήκη στο καλάθι'),
  inLanguage('ru', '/dubovyj-stol', 'Дубовый стол', '24 990 ₽', 'В корзину'),
  inLanguage('ar', '/oak-table-ar', 'طاولة من خشب البلوط', '990 ر.س', 'أضف إلى السلة'),
  inLanguage('he', '/oak-table-he', 'שולחן אלון', '₪ 990', 'הוספה לסל'),
  inLanguage('ja', '/oak-table-ja', 'オークのテーブル', '24,800円', 'カートに入れる'),
  inLanguage('zh', '/oak-table-zh', '橡木桌', '¥ 1,280', '加入购物车'),
  inLanguage('ko', '/oak-table-ko', '참나무 테이블', '248,000원', '장바구니 담기'),
  inLanguage('th', '/oak-table-th', 'โต๊ะไม้โอ๊ค', '฿4,990', 'เพิ่มลงตะกร้า'),
  inLanguage('vi', '/ban-go-soi', 'Bàn gỗ sồi', '4.990.000 ₫', 'Thêm vào giỏ hàng'),
  // No shops: nothing of these is a product page.
  {
    name: 'paywall',
    pages: {
      '/p/the-news-of-the-day': {
        head: ld({
          '@type': 'NewsArticle',
          headline: 'The news',
          isAccessibleForFree: false,
          isPartOf: {
            '@type': ['CreativeWork', 'Product'],
            name: 'The Paper',
            productID: 'paper.example:basic',
          },
        }),
        body: `<h1>The news of the day</h1>${words('It happened.')}<button>Buy a subscription for $ 4</button>`,
      },
    },
    judged: [],
  },
  {
    name: 'review',
    pages: {
      '/oak-table-tested': {
        head: ld({
          '@type': 'Review',
          author: { '@type': 'Person', name: 'A' },
          itemReviewed: product('Oak table', '240.00', 'EUR'),
          reviewRating: { '@type': 'Rating', ratingValue: 4 },
        }),
        body: `<h1>Oak table, tested</h1>${words('It stands.')}<p>€ 240</p><a href="https://elsewhere.example/t">Buy now</a>`,
      },
    },
    judged: [],
  },
  {
    name: 'newsletter',
    pages: {
      '/p/why-tables': {
        head: og('article'),
        body: `<h1>Why tables</h1>${words('They cost $ 5 or $ 50.')}<button>Subscribe</button>`,
      },
    },
    judged: [],
  },
  {
    name: 'magazine',
    pages: {
      '/tables-of-the-year': {
        head: '<meta property="article:published_time" content="2026-05-01">',
        body: bare('Tables of the year', '$ 12', '<button>Buy now</button>'),
      },
    },
    judged: [],
  },
  {
    name: 'blog',
    pages: {
      '/2024/05/oak-tables': `<h1>Oak tables</h1>${words('A table of $ 240 is dear.')}`,
      '/products/': words('We like products.'),
    },
    judged: [],
  },
  {
    name: 'podcast',
    pages: {
      '/products/episode-12': {
        head: og('product', ld({ '@type': 'PodcastEpisode', name: 'Episode 12' })),
        body: `<h1>Episode 12</h1>${words('We talk.')}<button>Buy now</button>`,
      },
    },
    judged: [],
  },
  {
    name: 'event',
    pages: {
      '/item/fair-2026': {
        head: ld({ '@type': 'MusicEvent', name: 'Fair', offers: offer('20.00', 'EUR') }),
        body: bare('Fair', '€ 20', button('Buy now')),
      },
    },
    judged: [],
  },
  {
    name: 'recipe',
    pages: {
      '/p/apple-pie-1234': {
        head: ld({ '@type': 'Recipe', name: 'Apple pie' }),
        body: bare('Apple pie', '€ 3', button('Add to cart')),
      },
    },
    judged: [],
  },
  {
    name: 'software',
    pages: {
      '/product/editor': {
        head: ld({
          '@type': 'SoftwareApplication',
          name: 'Editor',
          offers: { '@type': 'Offer', price: 0, priceCurrency: 'USD' },
        }),
        body: `<h1>Editor</h1>${words('It edits.')}<a href="/download">Download</a>`,
      },
    },
    home: { head: og('product') },
    judged: [],
  },
  {
    name: 'job',
    pages: {
      '/item/4711-joiner': {
        head: ld({ '@type': 'JobPosting', title: 'Joiner' }),
        body: `<h1>Joiner</h1>${words('€ 3.000 a month.')}`,
      },
    },
    judged: [],
  },
  {
    name: 'course',
    pages: {
      '/product/joinery-101': {
        head: ld({ '@type': 'Course', name: 'Joinery' }),
        body: `<h1>Joinery 101</h1>${words('Learn it.')}`,
      },
    },
    judged: [],
  },
  {
    name: 'forum',
    pages: {
      '/item/3312-which-oil': {
        head: ld({ '@type': 'DiscussionForumPosting', headline: 'Which oil?' }),
        body: `<h1>Which oil?</h1>${words('Linseed, $ 9.')}`,
      },
    },
    judged: [],
  },
  {
    name: 'company',
    pages: {
      '/products/pump-9000': `<h1>Pump 9000</h1>${words('Asks for a quote.')}<a href="/contact">Contact sales</a>`,
      '/about': words('Pumps.'),
    },
    judged: [],
  },
  {
    name: 'hotel',
    pages: {
      '/detail/room-12': {
        head: ld({ '@type': 'Hotel', name: 'Inn' }),
        body: `<h1>Room 12</h1><p>€ 90</p>${words('It has a bed.')}<button>Book now</button>`,
      },
    },
    judged: [],
  },
  {
    name: 'lists-alone',
    pages: { '/sale': list(['/elsewhere', '/a', '/b', '/c', '/d'], 'Add to cart') },
    judged: [],
  },
  {
    name: 'video',
    pages: {
      '/watch/how-to-oil-12345': {
        head: og('video.other'),
        body: `<h1>How to oil</h1>${words('A film.')}`,
      },
    },
    judged: [],
  },
  // Who sells one product, and who lists several.
  {
    name: 'related-products',
    pages: {
      '/oak-table/': {
        head: ld(product('Oak table', '240.00', 'EUR')),
        body: `<h1>Oak table</h1><p>€ 240.00</p>${button('Add to cart')}<p>Solid oak, oiled.</p><h2>Related products</h2>${cards(3)}`,
      },
    },
    judged: ['/oak-table/'],
  },
  {
    name: 'order-rows',
    pages: {
      '/screws/m8-din-933': {
        head: ld(
          product('Screws M8', '0.20', 'EUR', {
            '@type': 'ProductGroup',
            productGroupID: 'm8',
            variesBy: 'https://schema.org/size',
            offers: undefined,
            hasVariant: [20, 25, 30, 35, 40].map((length) =>
              product(`M8x${length}`, `0.${length}`, 'EUR', { sku: `M8-${length}` }),
            ),
          }),
        ),
        body: `<h1>Screws M8</h1><table>${[20, 25, 30, 35, 40].map((length) => `<tr><td>M8x${length}</td><td>0,${length} €</td><td><button>In den Warenkorb</button></td></tr>`).join('')}</table>${words('Of steel.')}`,
      },
    },
    judged: ['/screws/m8-din-933'],
  },
  {
    // A category that describes itself as a product, for the stars in Google's results.
    name: 'category-with-stars',
    pages: {
      '/tables': {
        head: ld({
          ...product('Tables', '', ''),
          offers: { '@type': 'AggregateOffer', lowPrice: 90, highPrice: 900, priceCurrency: 'EUR' },
        }),
        body: `<h1>Tables</h1>${cards(5)}`,
      },
    },
    judged: [],
  },
  {
    // A list that describes the first of its things alone.
    name: 'category-with-a-hint',
    pages: {
      '/tables': {
        head: ld(product('Oak chair No. 4', '240.00', 'EUR')),
        body: `<h1>Tables and benches</h1>${cards(5)}`,
      },
    },
    judged: [],
  },
  // A business or an app that the theme names on every page, and what is sold there.
  {
    name: 'winery',
    pages: {
      '/weine/riesling-trocken': {
        head: ld({ '@type': 'Restaurant', name: 'Weingut Kiln', address: 'Kiln 1' }),
        body: bare('Riesling trocken', '9,80 €', button('In den Warenkorb')),
      },
      '/speisekarte': {
        head: ld({ '@type': 'Restaurant', name: 'Weingut Kiln', address: 'Kiln 1' }),
        body: `<h1>Speisekarte</h1><p>Riesling, 9,80 €</p>${words('Vom Holzofen.')}<a href="/tisch">Bestellen</a>`,
      },
    },
    judged: ['/weine/riesling-trocken'],
    gaps: MISSING,
  },
  {
    name: 'shop-with-an-app',
    pages: {
      '/p/oak-table-12345': {
        head: ld({
          '@type': 'MobileApplication',
          name: 'Kiln',
          operatingSystem: 'iOS',
          offers: { '@type': 'Offer', price: 0, priceCurrency: 'USD' },
        }),
        body: bare('Oak table', '$ 240.00', button('Add to cart')),
      },
    },
    judged: ['/p/oak-table-12345'],
    gaps: MISSING,
  },
  {
    name: 'subscription',
    pages: { '/signup': words('Sign up.') },
    home: {
      head: ld(product('Kiln CRM', '19.00', 'USD')),
      body: `<h1>Kiln CRM</h1><p>$ 19 / month</p><a href="/signup">Buy now</a>${words('It counts.')}`,
    },
    judged: [],
  },
  {
    name: 'comparison',
    pages: {
      '/p/oak-table-12345': {
        head: ld(
          product('Oak table', '', '', {
            offers: {
              '@type': 'AggregateOffer',
              lowPrice: 200,
              highPrice: 260,
              priceCurrency: 'EUR',
              offerCount: 9,
            },
          }),
        ),
        body: `<h1>Oak table</h1><ul>${[1, 2, 3].map((n) => `<li>Shop ${n} € 2${n}0,00 <a href="https://shop${n}.example/x">Zum Shop</a></li>`).join('')}</ul>${words('Of oak.', 200)}`,
      },
    },
    judged: [],
  },
  {
    // As WooCommerce shows a product of several sizes.
    name: 'range-of-sizes',
    pages: {
      '/oak-shelf': {
        head: ld(
          product('Oak shelf', '', '', {
            offers: {
              '@type': 'AggregateOffer',
              lowPrice: '20.00',
              highPrice: '30.00',
              priceCurrency: 'EUR',
              availability: 'https://schema.org/InStock',
              shippingDetails: offer('20.00', 'EUR').shippingDetails,
              hasMerchantReturnPolicy: offer('20.00', 'EUR').hasMerchantReturnPolicy,
            },
          }),
        ),
        body: bare('Oak shelf', '€ 20 – € 30', button('Add to cart')),
      },
    },
    judged: ['/oak-shelf'],
    gaps: ['product_schema_aggregate_offer_only'],
  },
]
