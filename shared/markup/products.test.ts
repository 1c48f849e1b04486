import { describe, expect, test } from 'vitest'
import { readPage } from './page.ts'
import { mainProduct, variantsOf } from './products.ts'

const URL_OF_PAGE = 'https://shop.example/p/boot?size=40'
const block = (value: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const pageOf = (...values: unknown[]) => readPage(values.map(block).join(''), URL_OF_PAGE)
const product = (value: object) => mainProduct(pageOf({ '@type': 'Product', ...value }))
const offer = (value: object) => product({ offers: { '@type': 'Offer', ...value } })?.offers[0]
const names = (...values: unknown[]) => pageOf(...values).products.map(({ name }) => name)

test('an address that is the id of a thing is not its name', () => {
  const url = 'https://shop.example/p/boot'
  const stated = product({
    '@id': url,
    name: 'Boot',
    url: { '@id': url },
    image: { '@type': 'ImageObject', name: 'Front', url: { '@id': 'https://shop.example/a.jpg' } },
  })
  expect(stated).toMatchObject({ name: 'Boot', url, images: ['https://shop.example/a.jpg'] })
})

test('a node without an id may be named by its address', () => {
  const image = { '@type': 'ImageObject', contentUrl: { '@type': 'URL', name: '/a.jpg' } }
  expect(product({ name: 'Boot', image })?.images).toEqual(['https://shop.example/a.jpg'])
})

test('reads what the markup states, and null for the rest', () => {
  const stated = product({
    name: ' Alpine\n boot ',
    description: '',
    image: ['/a.jpg', { '@type': 'ImageObject', contentUrl: '//cdn.example/b.jpg' }, ''],
    brand: { '@type': 'Brand', name: 'Borealis' },
    sku: 4711,
    productID: 'B-1',
    gtin13: '4006381333931',
    url: '/p/boot',
    offers: {
      '@type': 'Offer',
      price: '119.90',
      priceCurrency: 'EUR',
      availability: 'InStock',
      shippingDetails: {},
      hasMerchantReturnPolicy: { '@id': '#policy' },
    },
  })
  expect(stated).toEqual({
    where: 'JSON-LD block 1, $',
    syntax: 'json_ld',
    type: 'Product',
    name: 'Alpine boot',
    description: null,
    images: ['https://shop.example/a.jpg', 'https://cdn.example/b.jpg'],
    brand: 'Borealis',
    sku: '4711',
    product_id: 'B-1',
    mpn: null,
    gtins: [{ property: 'gtin13', value: '4006381333931' }],
    url: 'https://shop.example/p/boot',
    offers: [
      {
        where: 'JSON-LD block 1, $.offers',
        aggregate: false,
        price: '119.90',
        high_price: null,
        other_prices: [],
        specified: [],
        per_unit: false,
        states_tax: false,
        has_inner: false,
        currency: 'EUR',
        minor: 11990,
        availability: 'InStock',
        stock: 'in_stock',
        sku: null,
        mpn: null,
        gtins: [],
        valid_until: null,
        has_return_policy: true,
        has_shipping: true,
        return_policy_lacks: null,
        shipping_lacks: '',
      },
    ],
    variants: [],
    has_return_policy: false,
    return_policy_lacks: null,
    shipping_lacks: null,
  })
})

describe('price', () => {
  test.each([
    [{ price: 19.9, priceCurrency: 'USD' }, '19.9', 1990],
    [{ price: '1500', priceCurrency: 'JPY' }, '1500', 1500],
    [{ price: '19.99' }, '19.99', null],
    [{ price: '19,99', priceCurrency: 'EUR' }, '19,99', null],
    [{ price: '1,299.00', priceCurrency: 'USD' }, '1,299.00', null],
    [{ price: '$19.99', priceCurrency: 'USD' }, '$19.99', null],
    [{ price: '19.99', priceCurrency: 'usd' }, '19.99', 1999],
    [{ price: '', priceCurrency: 'USD' }, null, null],
    [{ lowPrice: '5', priceCurrency: 'USD' }, null, null],
    [{ '@type': 'AggregateOffer', lowPrice: '5', priceCurrency: 'USD' }, '5', 500],
    [{ priceSpecification: { price: '5', priceCurrency: 'USD' } }, '5', 500],
    [
      {
        priceSpecification: [
          { price: '9', priceCurrency: 'USD', priceType: 'https://schema.org/StrikethroughPrice' },
          { price: '1', priceCurrency: 'USD', referenceQuantity: { value: 100 } },
          { price: '4', priceCurrency: 'USD', validForMemberTier: { name: 'gold' } },
          { price: '5', priceCurrency: 'USD' },
        ],
      },
      '5',
      500,
    ],
  ])('%j', (stated, price, minor) => {
    expect(offer(stated)).toMatchObject({ price, minor })
  })
  const of = (type: string, price: number) =>
    type.endsWith('Specification')
      ? { '@type': type, price, priceCurrency: 'EUR' }
      : { price, priceCurrency: 'EUR', priceType: `https://schema.org/${type}` }
  test.each([
    [[of('RegularPrice', 25), of('SalePrice', 19)], '19', ['25']],
    [[of('RegularPrice', 25), of('PriceSpecification', 19)], '19', ['25']],
    [[of('RegularPrice', 25), of('StrikethroughPrice', 30)], '25', ['30']],
    [[of('DeliveryChargeSpecification', 4.9), of('UnitPriceSpecification', 19)], '19', []],
    [[of('PaymentChargeSpecification', 2), of('RegularPrice', 19)], '19', []],
    [[of('MinimumAdvertisedPrice', 21), of('SalePrice', 19)], '19', []],
    [[of('DeliveryChargeSpecification', 4.9)], null, []],
  ])('of %j', (priceSpecification, price, other_prices) => {
    expect(offer({ priceSpecification })).toMatchObject({ price, other_prices })
  })
  test('the price of the offer itself comes first', () => {
    const stated = { price: 19, priceCurrency: 'EUR', priceSpecification: of('SalePrice', 17) }
    expect(offer(stated)).toMatchObject({ price: '19', other_prices: ['17'] })
  })
})

test.each([
  ['https://schema.org/InStock', 'in_stock'],
  ['http://schema.org/OutOfStock', 'out_of_stock'],
  ['http://www.schema.org/SoldOut', 'out_of_stock'],
  ['Discontinued', 'out_of_stock'],
  ['Reserved', 'out_of_stock'],
  ['LimitedAvailability', 'in_stock'],
  ['OnlineOnly', 'in_stock'],
  ['InStoreOnly', 'in_stock'],
  ['PreOrder', 'preorder'],
  ['PreSale', 'preorder'],
  ['BackOrder', 'backorder'],
  ['MadeToOrder', 'backorder'],
  ['instock', 'in_stock'],
  ['In stock', null],
  ['https://shop.example/InStock', null],
  ['', null],
])('availability %s is %s', (availability, stock) => {
  expect(offer({ availability })?.stock).toBe(stock)
})

test.each([
  ['a string', { brand: 'Borealis' }],
  ['a node', { brand: { '@type': 'Brand', name: 'Borealis' } }],
  ['a list', { brand: [{ '@type': 'Brand', name: '' }, 'Borealis'] }],
  ['a capitalised key', { Brand: 'Borealis' }],
])('brand as %s', (_, stated) => {
  expect(product(stated)?.brand).toBe('Borealis')
})

test('offers: lists, those of an aggregate, and no circle', () => {
  const nested = {
    '@type': 'AggregateOffer',
    '@id': '#a',
    priceCurrency: 'EUR',
    offers: [{ '@type': 'Offer', price: 1 }, { '@id': '#a' }],
  }
  const found = product({ Offers: [nested, { '@type': 'Offer', price: 2 }, 'none'] })?.offers
  expect(found?.map(({ aggregate, price, currency }) => [aggregate, price, currency])).toEqual([
    [true, null, 'EUR'],
    [false, '1', 'EUR'],
    [false, '2', null],
  ])
})

describe('groups', () => {
  const variant = {
    '@type': 'Product',
    '@id': '#40',
    sku: '40',
    offers: { '@type': 'Offer', price: 1 },
  }
  const group = {
    '@type': 'ProductGroup',
    '@id': '#g',
    productGroupID: 'g',
    name: 'Boot',
    brand: 'Borealis',
    image: '/a.jpg',
  }
  test.each([
    ['nested', [{ ...group, hasVariant: [variant] }]],
    ['by @id', [{ ...group, hasVariant: [{ '@id': '#40' }] }, variant]],
    ['by isVariantOf', [{ ...variant, isVariantOf: { '@id': '#g' } }, group]],
    ['by isVariantOf, nested', [{ ...variant, isVariantOf: group }]],
    ['by the id of the group', [{ ...variant, inProductGroupWithID: 'g' }, group]],
    [
      'both ways',
      [
        { ...group, hasVariant: [{ '@id': '#40' }, { url: '/p/41' }] },
        { ...variant, isVariantOf: { '@id': '#g' } },
      ],
    ],
  ])('%s: the variant inherits', (_, values) => {
    const products = pageOf(...values).products.map((each) => ({
      ...each,
      variants: variantsOf(each),
    }))
    expect(products).toMatchObject([
      {
        type: 'ProductGroup',
        variants: [
          {
            name: 'Boot',
            brand: 'Borealis',
            sku: '40',
            images: ['https://shop.example/a.jpg'],
            offers: [{ price: '1' }],
          },
        ],
      },
    ])
  })
  test('a variant that is only named by its address is not judged here', () => {
    const found = mainProduct(
      pageOf({ ...group, hasVariant: [variant, { '@type': 'Product', url: '/p/41' }] }),
    )
    expect(found?.variants.map(({ sku }) => sku)).toEqual(['40'])
  })
})

describe('the product that the page is about', () => {
  const offers = { '@type': 'Offer', price: 1 }
  const [a, b] = ['a', 'b'].map((name) => ({ '@type': 'Product', name }))
  test.each([
    ['none', [{ '@type': 'WebPage' }], undefined],
    ['the only one', [a], 'a'],
    [
      'the one with offers',
      [
        { ...a, sku: 1, mpn: 2, gtin: 3 },
        { ...b, offers },
      ],
      'b',
    ],
    [
      'the one with the address',
      [
        { ...a, offers },
        { ...b, offers, url: '/p/boot/' },
      ],
      'b',
    ],
    ['not the one of another page', [{ ...a, offers, url: '/p/shoe' }, b], 'b'],
    [
      'the one with the same query',
      [
        { ...a, offers, url: '/p/boot?size=39' },
        { ...b, offers, url: '/p/boot?size=40' },
      ],
      'b',
    ],
    [
      'the one with more to say',
      [
        { ...a, offers },
        { ...b, offers, sku: 1, mpn: 2 },
      ],
      'b',
    ],
    [
      'the first of equals',
      [
        { ...a, offers },
        { ...b, offers },
      ],
      'a',
    ],
    [
      'the main entity',
      [
        { ...a, offers, sku: 1 },
        { '@type': 'ItemPage', mainEntity: b },
      ],
      'b',
    ],
    [
      'none of a list',
      [
        {
          '@type': 'ItemList',
          itemListElement: [
            { ...a, offers },
            { ...b, offers },
          ],
        },
      ],
      undefined,
    ],
    ['not a related one', [{ ...a, isRelatedTo: { ...b, offers, sku: 1, mpn: 2 } }], 'a'],
    [
      'though a review names it',
      [
        { ...a, '@id': '#a' },
        { '@type': 'Review', itemReviewed: { '@id': '#a' } },
        { '@type': 'ItemList', itemListElement: [b] },
      ],
      'a',
    ],
    ['small letters', [{ '@type': 'product', name: 'a' }], 'a'],
    ['a derived type', [{ '@type': 'IndividualProduct', name: 'a' }], 'a'],
    [
      'not of another vocabulary',
      [{ '@type': 'http://data-vocabulary.org/Product', name: 'a' }],
      undefined,
    ],
  ])('%s', (_, values, name) => {
    expect(mainProduct(pageOf(...values))?.name).toBe(name)
  })
  test('the canonical address counts as the page’s own', () => {
    const html = `<link rel=canonical href=/boots/alpine>${block([
      { ...a, offers, url: '/p/shoe' },
      { ...b, offers, url: 'http://m.shop.example/boots/alpine' },
    ])}`
    expect(mainProduct(readPage(html, URL_OF_PAGE))?.name).toBe('b')
  })
  test('all are listed in document order', () => {
    expect(names({ '@graph': [a, { '@type': 'ItemList', itemListElement: b }] })).toEqual([
      'a',
      'b',
    ])
  })
})

test('microdata is read alike', () => {
  const html = `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Boot</h1>
    <img itemprop="image" src="a.jpg"><span itemprop="brand" itemscope itemtype="http://schema.org/Brand"><b itemprop="name">Borealis</b></span>
    <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="19.99">19,99 €</span>
    <meta itemprop="pricecurrency" content="EUR"><link itemprop="availability" href="http://schema.org/InStock"></div></div>`
  expect(mainProduct(readPage(html, URL_OF_PAGE))).toMatchObject({
    where: 'microdata at line 1, column 53',
    name: 'Boot',
    images: ['https://shop.example/p/a.jpg'],
    brand: 'Borealis',
    offers: [{ minor: 1999, currency: 'EUR', stock: 'in_stock' }],
  })
})

describe('where no product states its address, the page is about', () => {
  const offers = { price: 19, priceCurrency: 'EUR' }
  const chair = {
    ...{ '@type': 'Product', name: 'Pine chair', offers },
    ...{ sku: 'a', mpn: 'b', color: 'red', size: 'M', material: 'pine' },
  }
  const lamp = { '@type': 'Product', name: 'Oak lamp', offers }
  const about = (head: string, ...values: unknown[]) =>
    mainProduct(readPage(`${head}${values.map(block).join('')}`, URL_OF_PAGE))?.name
  test.each([
    ['the one in its title', '<title>Oak Lamp | Shop</title>', 'Oak lamp'],
    ['the one in its heading', '<title>Shop</title><h1>Oak-Lamp</h1>', 'Oak lamp'],
    ['the one that says most, without either', '<title>Shop</title>', 'Pine chair'],
    ['the nearer one', '<h1>Oak chair</h1>', 'Pine chair'],
  ])('%s', (_, head, name) => {
    expect(about(head, chair, lamp)).toBe(name)
    expect(about(head, lamp, chair)).toBe(name)
  })
  test('the one with an offer, or of its address, before the one in its title', () => {
    const head = '<title>Oak lamp</title>'
    expect(about(head, chair, { ...lamp, offers: undefined })).toBe('Pine chair')
    expect(about(head, { ...chair, url: URL_OF_PAGE }, lamp)).toBe('Pine chair')
  })
})

describe('one product, marked up several times', () => {
  const size = (sku: string, change: object = {}) => ({
    '@type': 'Product',
    name: 'Fell Boot',
    sku,
    offers: { price: 19, priceCurrency: 'EUR' },
    ...change,
  })
  const shape = (...values: unknown[]) => {
    const page = pageOf(...values)
    return {
      products: page.products.map(({ sku, variants }) => [
        sku,
        ...variants.map((each) => each.sku),
      ]),
      main: page.main_product,
    }
  }
  test.each([
    ['under one name', [size('a'), size('b'), size('c', { name: 'fell boot' })], [['a', 'b', 'c']]],
    [
      'under names with the size',
      ['41', '42'].map((each) => size(each, { name: `Fell Boot, ${each}`, size: each })),
      [['41', '42']],
    ],
    ['under other names', [size('a'), size('b', { name: 'Hat' })], [['a'], ['b']]],
    [
      'of another brand under one name with the size',
      ['x', 'y'].map((brand) => size(brand, { name: `Fell Boot ${brand}`, size: '1', brand })),
      [['x'], ['y']],
    ],
    ['without a name', [size('a', { name: '' }), size('b', { name: '' })], [['a'], ['b']]],
    [
      'in a list of others',
      [size('a'), { '@type': 'ItemList', itemListElement: [size('b')] }],
      [['a'], ['b']],
    ],
    [
      'beside a group',
      [
        { ...size('g'), '@type': 'ProductGroup', hasVariant: [size('v', { size: '1' })] },
        size('b'),
      ],
      [['g', 'v'], ['b']],
    ],
  ])('%s', (_, values, products) => {
    expect(shape(...values)).toEqual({ products, main: 0 })
  })
  test.each([
    ['a rating', { aggregateRating: { ratingValue: 4.7 } }, [['a']], [1]],
    ['a rating and a number', { sku: 'b' }, [['a', 'b']], []],
    ['a size', { size: '41' }, [['a', null]], []],
    ['an offer', { offers: { price: 21 } }, [['a', null]], []],
    ['a rating of another thing', { name: 'Hat' }, [['a'], [null]], []],
  ])('a second node of its name, with %s', (_, change, shown, same) => {
    const node = { ...size('a', change), sku: undefined, offers: undefined, ...change }
    const page = pageOf(size('a'), node)
    expect(shape(size('a'), node).products.slice(0, shown.length)).toEqual(shown)
    expect(page.same_product).toEqual(same)
    expect(page.products).toHaveLength(shown.length + same.length)
  })
  test.each([
    ['of its sku', {}, [1]],
    ['of its sku, under a longer name', { name: 'Fell Boot, by Borealis' }, [1]],
    ['of its GTIN', { sku: undefined }, [1]],
    ['of another sku', { sku: 'b' }, []],
    ['of its sku, and a size', { size: '41' }, []],
    ['of its sku, with its address', { url: '/p/boot' }, [1]],
    ['of its sku, with the address of another variant', { url: '/p/boot?size=41' }, []],
    ['of its sku, with the address of another page', { url: '/p/hat' }, []],
  ])('a second node %s', (_, change, same) => {
    const number = { gtin: '4006381333931' }
    const main = { ...size('a', number), brand: 'Borealis', url: '/p/boot?size=40' }
    expect(pageOf(main, size('a', { ...number, ...change })).same_product).toEqual(same)
  })
  test('what other syntaxes say of it is told apart', () => {
    const item = (name: string, sku: string) =>
      `<p itemscope itemtype="https://schema.org/Product"><b itemprop=name>${name}</b><b itemprop=sku>${sku}</b></p>`
    const read = (html: string) => {
      const page = readPage(
        `<script type="application/ld+json">${JSON.stringify(size('a'))}</script>${html}`,
        'https://shop.example/p/boot',
      )
      return page.same_product.map((index) => {
        const { sku, variants } = page.products[index]!
        return [sku, ...variants.map((each) => each.sku)]
      })
    }
    expect(read(item('Fell boot', 'b') + item('FELL BOOT', 'c'))).toEqual([['b', 'c']])
    // The only one may have another name, but not be another thing.
    expect(read(item('Borealis Fell Boot', 'b'))).toEqual([['b']])
    expect(read(item('Hat', 'b'))).toEqual([])
    expect(read(item('Hat', 'a'))).toEqual([['a']])
    expect(read(item('Borealis Fell Boot', 'b') + item('Hat', 'c'))).toEqual([])
    // Nor one that has its own page.
    const linked = (url: string, sku = 'b') =>
      `<link rel=canonical href=/boots/fell>${item(`Lace for Fell Boot<link itemprop=url href=${url}>`, sku)}`
    expect(read(linked('/p/lace'))).toEqual([])
    expect(read(linked('/p/boot?size=41'))).toEqual([['b']])
    expect(read(linked('/boots/fell/'))).toEqual([['b']])
    expect(read(linked('/p/lace', 'a'))).toEqual([['a']])
  })
})
