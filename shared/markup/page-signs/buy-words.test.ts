import { expect, test } from 'vitest'
import { readPage } from '../page.ts'
import { readControl } from './buy-words.ts'

test.each([
  ['カゴに入れる', 'cart'],
  ['바로구매', 'buy'],
  ['주문하기', 'buy'],
  ['Masukkan Keranjang', 'cart'],
  ['+ Keranjang', 'cart'],
  ['Bestel', 'buy'],
  ['Bestel nu', 'buy'],
  ['Colocar na sacola', 'cart'],
  ['Səbətə at', 'cart'],
  ['კალათაში დამატება', 'cart'],
  ['Out of stock', 'sold_out'],
  ['Shto në shportë', 'cart'],
  ['Додади во кошничка', 'cart'],
  ['Додај у корпу', 'cart'],
  ['কার্টে যোগ করুন', 'cart'],
])('%s', (text, kind) => {
  expect(readControl(text)).toBe(kind)
})

test.each([
  'Buy stocks',
  'Keranjang',
  'Bestelstatus',
  'Кошничка',
  'კალათაში გადასვლა',
  '주문',
  'Shporta',
])('%s buys nothing', (text) => {
  expect(readControl(text)).toBe(null)
})

const signsOf = (html: string) => readPage(html, 'https://shop.example/p/oak').signs

test.each([
  '<div class="btn add-to-cart" onclick="add()">Ajoute</div>',
  '<span class="buy" onclick="add()">Buy now</span>',
  '<add-to-cart-button>Dodaj</add-to-cart-button>',
])('%s is a control', (html) => {
  expect(signsOf(`<h1>Oak</h1><p>€ 19.00</p>${html}`)).toMatchObject({ buys: 1, price: '€ 19.00' })
})

test.each([
  '<div class="btn add-to-cart">Dodaj</div>',
  '<div class="card" onclick="open()">Oak stool € 29.00 Add to cart</div>',
  '<span onclick="more()">More</span>',
  '<product-card>Add to cart</product-card>',
])('%s is none', (html) => {
  expect(signsOf(`<h1>Oak</h1><p>€ 19.00</p>${html}`).buys).toBe(0)
})
