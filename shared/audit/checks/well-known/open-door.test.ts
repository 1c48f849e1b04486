import { expect, test } from 'vitest'
import { readPage } from '../../../markup/page.ts'
import type { Fetched } from '../../../web/http/fetched.ts'
import { answerFrom } from '../../../web/testing/answer-from.ts'
import { judgeDoor } from './open-door.ts'

const HOME = 'https://shop.example/'
const FORM = '<form><input type="password" name="code"><button>Enter</button></form>'

function judge(html: string, change: object = {}): string {
  const https = answerFrom(HOME, { body: html, ...change })
  const fetched: Fetched = https
  const page = https.status === 200 && https.final_url === HOME ? readPage(html, HOME) : null
  const site = { domain: 'shop.example', label: 'shop', https, http: https }
  return judgeDoor({ site, homePage: { fetched, page } }).kind
}

test.each<[string, string, object, string]>([
  ['a password page', '', { final_url: `${HOME}password` }, 'gap'],
  ['one below a language', '', { final_url: `${HOME}de/password` }, 'gap'],
  ['a login', '', { final_url: `${HOME}account/login` }, 'gap'],
  ['a question for the age', '', { final_url: `${HOME}age-verification` }, 'skip'],
  ['a question for a consent', '', { final_url: `${HOME}consent` }, 'skip'],
  ['HTTP authentication', '', { status: 401 }, 'gap'],
  ['a refusal', '', { status: 403 }, 'skip'],
  ['an error', '', { status: 503 }, 'skip'],
  ['a form for a password alone', `<h1>Opening soon</h1>${FORM}`, {}, 'gap'],
  ['what WooCommerce shows', '<meta name="woo-coming-soon-page" content="yes">', {}, 'gap'],
  ['a store with a login in its menu', `<nav>${FORM}</nav><p>Lamp, 20,00 €</p>`, {}, 'pass'],
  ['a store with a cart', `${FORM}<a href="/cart">Cart</a>`, {}, 'pass'],
  ['a long page with a login', `${FORM}<p>${'Our lamps. '.repeat(200)}</p>`, {}, 'pass'],
  ['a store', '<p>Lamp, 20,00 €</p>', {}, 'pass'],
])('%s', (_, html, change, kind) => expect(judge(html, change)).toBe(kind))
