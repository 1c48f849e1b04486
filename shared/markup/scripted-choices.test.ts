import { expect, test } from 'vitest'
import { readPage } from './page.ts'

const URL_ = 'https://shop.example/products/fell-boot'
const namesOf = (body: string) =>
  readPage(`<h1>Fell Boot</h1><p>189.00 EUR</p>${body}`, URL_).scripted_choices?.map(
    ({ name, values }) => `${name}: ${values.join(' ')}`,
  )

const json = (value: unknown) => `<script type="application/json">${JSON.stringify(value)}</script>`
const sizes = (...all: string[]) => all.map((size) => ({ sku: `FB-${size}`, price: 18900, size }))
const PRODUCT = { name: 'Fell Boot', variants: sizes('41', '42', '43') }

test.each([
  ['a size each', json(PRODUCT), 'size: 41 42 43'],
  [
    'Shopify',
    json({
      title: 'Fell Boot',
      variants: ['S', 'M', 'L'].map((option1) => ({ id: 1, option1, available: true })),
    }),
    'option1: S M L',
  ],
  [
    'options with their values',
    json({ product: { handle: 'fell-boot', options: [{ name: 'Size', values: ['41', '42'] }] } }),
    'Size: 41 42',
  ],
  [
    'what Magento builds its swatches of',
    `<input type="hidden" name="product" value="62"><select><option value="">Choose an option</option></select>${json(
      {
        '[data-role=swatch-options]': {
          jsonConfig: {
            attributes: {
              93: {
                id: '93',
                label: 'Color',
                options: ['Blue', 'Red'].map((label) => ({ label, products: ['1'] })),
              },
            },
            productId: '62',
          },
        },
      },
    )}`,
    'Color: Blue Red',
  ],
  [
    'a text that a script reads as JSON',
    `<script>load(${JSON.stringify(JSON.stringify(PRODUCT))})</script>`,
    'size: 41 42 43',
  ],
  [
    'a script without quotation marks around keys',
    `<script>page({ name: 'Fell Boot', variants: ${JSON.stringify(PRODUCT.variants)} })</script>`,
    'size: 41 42 43',
  ],
  [
    'beside a list of quantities',
    `<select name="qty"><option value="1">1</option><option value="2">2</option></select>${json(PRODUCT)}`,
    'size: 41 42 43',
  ],
  [
    'beside the color, which is in the HTML',
    `<button>Black</button><button>Brown</button>${json({
      name: 'Fell Boot',
      variants: ['41', '42'].flatMap((size) =>
        ['Black', 'Brown'].map((color) => ({ sku: size + color, size, color })),
      ),
    })}`,
    'size: 41 42',
  ],
])('in a script alone: %s', (_, body, found) => {
  expect(namesOf(body)).toEqual([found])
})

const GROUP = {
  '@context': 'https://schema.org',
  '@type': 'ProductGroup',
  name: 'Fell Boot',
  hasVariant: ['41', '42', '43'].map((size) => ({ '@type': 'Product', size })),
}

test.each([
  ['a list', '<select><option>41</option><option>42</option><option>43</option></select>'],
  [
    'radio buttons',
    '<input type="radio" name="v" value="1"><input type="radio" name="v" value="2">',
  ],
  ['links', '<a href="?v=1">EU 41</a> <a href="?v=2">EU 42</a>'],
  ['links without a text', '<a href="?size=41"></a> <a href="?size=42"></a>'],
  ['buttons', '<button aria-label="41"></button><button aria-label="42"></button>'],
  ['a text', '<p>Sizes: 41, 42 and 43</p>'],
  ['a picture of each', '<img alt="Size 41"><img alt="Size 42">'],
  ['JSON-LD', `<script type="application/ld+json">${JSON.stringify(GROUP)}</script>`],
  ['an attribute', `<form data-product_variations='${JSON.stringify(PRODUCT.variants)}'></form>`],
  ['what is there without scripts', '<noscript><a>41</a><a>42</a></noscript>'],
  [
    'a list of other words',
    '<select><option value="1">A</option><option value="2">B</option></select>',
  ],
  ['swatches', '<a class="swatch" title="A"></a><a class="swatch" title="B"></a>'],
])('the HTML has them: %s', (_, body) => {
  expect(namesOf(body + json(PRODUCT))).toEqual([])
})

test.each([
  ['one variant', { name: 'Fell Boot', variants: sizes('41') }],
  ['the only one', { title: 'Fell Boot', variants: [{ id: 1, price: 1, title: 'Default Title' }] }],
  ['of another product', { name: 'Skarn Jacket', variants: sizes('S', 'M') }],
  [
    'of a product beside it',
    { name: 'Fell Boot', related: [{ title: 'Skarn', variants: sizes('XS', 'XL') }] },
  ],
  [
    'of a product in it',
    { name: 'Fell Boot', more: [{ title: 'Skarn', url: '/skarn', variants: sizes('XS', 'XL') }] },
  ],
  ['of a test', { name: 'Fell Boot', variants: [{ name: 'control' }, { name: 'new-header' }] }],
  ['of pictures', { name: 'Fell Boot', sizes: [{ name: 'thumb', width: 80 }, { name: 'zoom' }] }],
  ['alike', { name: 'Fell Boot', variants: [...sizes('41'), ...sizes('41')] }],
  ['numbers alone', { name: 'Fell Boot', variants: sizes('1234567', '1234568') }],
])('no choice of the product: %s', (_, data) => {
  expect(namesOf(json(data))).toBeUndefined()
})

test('broken, endless and nested data is read in time, and names nothing', () => {
  for (const script of [
    '"variants":[{'.repeat(50_000),
    `"variants":[{"a":"${'\\'.repeat(500_000)}`,
    `{"name":"Fell Boot",${'"sizes":[{"sku":1,"x":['.repeat(20_000)}`,
    '"label":"'.repeat(100_000),
  ]) {
    expect(namesOf(`<script>${script}</script>`)).toBeUndefined()
  }
})
