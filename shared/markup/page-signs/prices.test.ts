import { expect, test } from 'vitest'
import { readPage } from '../page.ts'
import { findPrices } from './prices.ts'

const pricesIn = (text: string) => findPrices(text, 9).map((each) => each.text)

test.each([
  ['￥1,299', ['￥1,299']],
  ['MX$ 249.00 o RD$1,200', ['MX$ 249.00', 'RD$1,200']],
  ['R$ 24,90', ['R$ 24,90']],
  ['৳ 1,290', ['৳ 1,290']],
  ['1.290 рсд', ['1.290 рсд']],
  ['1.290 Lekë', ['1.290 Lekë']],
  ['Q 1,250.00', ['Q 1,250.00']],
  ['12.500 ر.ع.', ['12.500 ر.ع.']],
  ['₹1,29,999', ['₹1,29,999']],
  ['₹ 12,34,56,789.50', ['₹ 12,34,56,789.50']],
  ['€ 1,29', ['€ 1,29']],
  ['iPhone 15 €799.00', ['€799.00']],
  ['iPhone 15\n€ 799.00', ['€ 799.00']],
  ['€\n799.00', ['€ 799.00']],
  ['15 € und 16 €', ['15 €', '16 €']],
  ['Chair 0€19.00', ['€19.00']],
  ['19€99', ['19€']],
  ['4 900\nр.', ['4 900 р.']],
  ['29 €19 €', ['29 €', '19 €']],
  ['R 1 249.00', ['R 1 249.00']],
  ['R249.90', ['R249.90']],
  ['1 290 Р', ['1 290 Р']],
  ['89 LEI', ['89 LEI']],
  ['49,99\nLei', ['49,99 Lei']],
  ['Lei 49', ['Lei 49']],
  ['1 290\nР', ['1 290 Р']],
  ['12,90 Zł', ['12,90 Zł']],
  ['15 000 FCFA', ['15 000 FCFA']],
  ['KSh 1,250', ['KSh 1,250']],
  ['Dhs 49', ['Dhs 49']],
])('%s', (text, prices) => {
  expect(pricesIn(text)).toEqual(prices)
})

test.each([
  'Q4 2026',
  'Coenzyme Q10',
  'Q 12.5',
  'ABCD$',
  'IP15',
  '2 L',
  'R2',
  'R 600',
  'AR 4.50',
  'ГОСТ Р 52931-2008',
  '205/55 Р16',
  'R2.10',
  'CFA 2026',
  'LEI 529900T8BM49AURSDO55',
  'KD 15',
  '2 BD',
])('%s is no price', (text) => {
  expect(pricesIn(text)).toEqual([])
})

test('a number at the end of a name is not taken for the price below it', () => {
  const read = (html: string) => readPage(html, 'https://shop.example/p/1').signs
  const button = '<button>Add to cart</button>'
  expect(read(`<h1>iPhone 15</h1><p>€ 799.00</p>${button}`)).toMatchObject({
    h1: ['iPhone 15'],
    price: '€ 799.00',
    prices: 1,
  })
  expect(read(`<h1>Oak <br> stool</h1><b>19</b><sup>,90</sup> <i>€</i>${button}`)).toMatchObject({
    h1: ['Oak stool'],
    price: '19,90 €',
  })
})
