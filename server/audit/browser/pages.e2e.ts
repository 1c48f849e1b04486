import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { rulesOf } from '../../../shared/audit/checks/index.ts'
import { runRules } from '../../../shared/audit/rule.ts'
import { describeInBrowser, type Hosts, serveHosts } from '../../../shared/testing/browser.ts'
import { sampleAddress } from '../../../shared/walk/addresses.ts'
import { beginPages, keptStep } from '../../../shared/walk/pages/pages-kept.ts'
import { pagesSeenOf } from '../../../shared/walk/pages/pages-seen.ts'
import { createStore } from '../../store/app.ts'
import { testCardEntry } from '../../store/buyer/card-entry.ts'
import { PAGE_FAULTS } from '../../store/faults/pages.ts'
import { testDeps } from '../../store/testing/store.ts'
import { type BrowserSession, openBrowser } from './session.ts'
import { walkPages } from './walk-pages.ts'

/** Changes a page of the reference store: of the pages at this path, this becomes that. */
type Edit = [path: RegExp, from: string | RegExp, to: string]

const PRODUCT = /^\/products\//
const BASKET = /^\/basket/
const CHECKOUT = /^\/checkout\//
const COUNTRIES = /(<select id="country"[^>]*>)[\s\S]*?<\/select>/
const SAVE = /<button name="do" value="save".*?<\/button>/
const ADD = '<button class="button">Add to basket</button>'
const before = (html: string): Edit => [PRODUCT, '<main>', `${html}<main>`]

/** By fault, a part of the selector of the element that is named. */
const ELEMENTS: Readonly<Record<string, string>> = {
  'ucp-pages-add-text': 'div',
  'ucp-pages-add-drawing': 'button',
  'ucp-pages-add-image': 'button',
  'ucp-pages-add-missing': 'h1',
  'ucp-pages-add-hidden': 'h1',
  'ucp-pages-add-disabled': 'button',
  'ucp-pages-option-unnamed': '#item',
  'ucp-pages-options-not-operable': 'button',
  'ucp-pages-quantity-unnamed': '#quantity',
  'ucp-pages-name-missing': 'button',
  'ucp-pages-price-missing': 'button',
  'ucp-pages-captcha': '#bot',
  'ucp-pages-age-gate': '#age',
  'ucp-pages-consent-without-button': '#wall',
  'ucp-pages-newsletter-stuck': '#news',
  'ucp-pages-veil': '#veil',
  'ucp-pages-pop-up': '#pop',
  'ucp-pages-basket-empty': 'h1',
  'ucp-pages-basket-of-another': 'h1',
  'ucp-pages-basket-dearer': 'td',
  'ucp-pages-basket-currency': 'td',
  'ucp-pages-basket-of-two': 'input[name="quantity"]',
  'ucp-pages-checkout-unnamed': 'a',
  'ucp-pages-checkout-text': '#go',
  'ucp-pages-checkout-window': 'a',
  'ucp-pages-account-required': '#pw',
  'ucp-pages-field-unnamed': '#name',
  'ucp-pages-required-unknown': '#city',
  'ucp-pages-autocomplete-wrong': '#city',
  'ucp-pages-country-missing': '#country',
  'ucp-pages-list-stuck': '#country',
  'ucp-pages-pay-disabled': 'button',
  'ucp-pages-buttons-unnamed': 'button',
  'ucp-pages-form-refused': 'button',
  'ucp-pages-basket-forgotten': 'p',
  'ucp-pages-checkout-dearer': 'td',
  'ucp-pages-total-missing': 'button',
  'ucp-pages-basket-fails': 'main',
  'ucp-pages-blank': 'html',
  'ucp-pages-basket-unlinked': 'main',
  // A script’s dialog box is no part of the page.
  'ucp-pages-dialog-box': '',
}

const ODD: [what: string, edits: Edit[]][] = [
  ['as it is', []],
  [
    'a cookie notice that can be refused',
    [
      [
        /^\/products\/[^?]*$/,
        '<main>',
        '<div class="veil"><p>We use cookies.</p><a role="button" href="?refused">Reject all</a></div><main>',
      ],
    ],
  ],
  [
    'a cookie notice that can only be accepted',
    [
      [
        /^\/products\/[^?]*$/,
        '<main>',
        '<div class="veil">Cookies help us. <a role="button" href="?ok">Accept all</a></div><main>',
      ],
    ],
  ],
  [
    'in German',
    [
      [PRODUCT, 'Add to basket', 'In den Warenkorb'],
      [PRODUCT, 'Choose one', 'Bitte wählen'],
      [PRODUCT, '>Quantity<', '>Menge<'],
      [BASKET, '>Checkout<', '>Zur Kasse<'],
      [CHECKOUT, '>Name<', '>Vollständiger Name<'],
      [CHECKOUT, '>City<', '>Ort<'],
      [CHECKOUT, '>Country<', '>Land<'],
      [CHECKOUT, /(value="pay">)[^<]*/, '$1Zahlungspflichtig bestellen'],
    ],
  ],
  [
    'in French',
    [
      [PRODUCT, 'Add to basket', 'Ajouter au panier'],
      [PRODUCT, 'Choose one', 'Choisissez une option'],
      [BASKET, '>Checkout<', '>Passer la commande<'],
      [CHECKOUT, '>City<', '>Ville<'],
      [CHECKOUT, /(value="pay">)[^<]*/, '$1Payer'],
    ],
  ],
  ['an input as the button', [[PRODUCT, ADD, '<input type="submit" value="Add to cart">']]],
  [
    'names by aria-label alone',
    [
      [PRODUCT, '<label for="item">Variant</label>', ''],
      [PRODUCT, '<select id="item"', '<select id="item" aria-label="Size and colour"'],
    ],
  ],
  [
    'names by aria-labelledby',
    [
      [CHECKOUT, '<label for="city">City</label>', '<span id="x-city">City</span>'],
      [CHECKOUT, 'id="city"', 'id="city" aria-labelledby="x-city"'],
    ],
  ],
  [
    'radio buttons for variants',
    [
      [
        PRODUCT,
        /<select id="item"[\s\S]*?<option value="(ao-1001-[^"]+)">[\s\S]*?<\/select>/,
        '<fieldset><legend>Size</legend><label><input type="radio" name="item" value="$1"> S</label></fieldset>',
      ],
    ],
  ],
  [
    'an old price that is crossed out',
    [[PRODUCT, '<p class="price">', '<p class="price"><del>$249.00</del> ']],
  ],
  ['no quantity', [[PRODUCT, /<div class="field"><label for="quantity">[\s\S]*?<\/div>/, '']]],
  [
    'other products with the same button',
    [
      [
        PRODUCT,
        '</article>',
        '</article><h2>Related</h2><p>$9.00</p><button>Add to basket</button>',
      ],
    ],
  ],
  [
    'a newsletter at the foot',
    [
      [
        /^\//,
        '<footer>',
        '<footer><label>Your email <input type="email" required></label><button>Subscribe</button>',
      ],
    ],
  ],
  [
    'a code to redeem',
    [
      [
        CHECKOUT,
        '<div class="steps">',
        '<label>Coupon code <input name="coupon"></label><button type="button">Apply</button><div class="steps">',
      ],
    ],
  ],
  [
    'placeholders as names',
    [
      [CHECKOUT, '<label for="city">City</label>', ''],
      [CHECKOUT, 'id="city"', 'id="city" placeholder="City"'],
    ],
  ],
  ['fields without autocomplete', [[CHECKOUT, / autocomplete="[^"]*"/g, '']]],
  [
    'a menu with a checkout of its own',
    [[BASKET, '<main>', '<nav><a href="/">Checkout</a></nav><main>']],
  ],
  [
    'a second line of the address without autocomplete',
    [
      [
        CHECKOUT,
        '<div class="steps">',
        '<label>Address 2 <input name="more" pattern=""></label><div class="steps">',
      ],
    ],
  ],
  [
    'a page that scrolls smoothly to a low button',
    [
      [
        PRODUCT,
        ADD,
        `<style>html{scroll-behavior:smooth}</style><div style="height:3000px"></div>${ADD}<div style="height:3000px"></div>`,
      ],
    ],
  ],
  [
    'a field that is replaced while others are filled in',
    [
      [
        CHECKOUT,
        '</body>',
        `<script>
          for (const field of document.querySelectorAll('input:not(#city)')) {
            const replace = () => {
              const city = document.querySelector('#city')
              if (city.value === '') city.replaceWith(city.cloneNode())
            }
            field.addEventListener('change', replace, { once: true })
          }
        </script></body>`,
      ],
    ],
  ],
  [
    'a basket that comes late',
    [
      [
        BASKET,
        '</body>',
        `<script>
          const main = document.querySelector('main')
          const { innerHTML } = main
          main.innerHTML = '<h1>Basket</h1><p>Wait</p>'
          setTimeout(() => { main.innerHTML = innerHTML }, 1000)
        </script></body>`,
      ],
    ],
  ],
  [
    'buttons for variants, and "out of stock" until one of each is pressed',
    [
      [
        PRODUCT,
        /<select id="item"[\s\S]*?<option value="(ao-1001-[^"]+)">[\s\S]*?<\/select>/,
        `<input type="hidden" name="item" value="$1" id="item">
        <p>Colour</p><button type="button" class="pick">Fjord</button>
        <p>Size</p><button type="button" class="pick">S</button><button type="button" class="pick">M</button>`,
      ],
      [PRODUCT, ADD, '<button class="button" id="add" disabled>Out of stock</button>'],
      [
        PRODUCT,
        '</body>',
        `<script>
          const add = document.querySelector('#add')
          const picked = new Set()
          for (const button of document.querySelectorAll('.pick')) {
            button.onclick = () => {
              picked.add(button.previousElementSibling)
              if (picked.size < 2) return
              add.disabled = false
              add.textContent = 'Add to basket'
            }
          }
        </script></body>`,
      ],
    ],
  ],
  [
    'a list of countries that is no select',
    [
      [
        CHECKOUT,
        COUNTRIES,
        `<input type="hidden" id="chosen" name="country" value="DE">
        <button type="button" id="country" role="combobox" aria-haspopup="listbox" aria-expanded="false">Germany</button>
        <div role="listbox" id="entries" hidden><div role="option">Germany</div><div role="option">United States (US)</div></div>`,
      ],
      [
        CHECKOUT,
        '</body>',
        `<script>
          const [list, entries] = ['country', 'entries'].map((id) => document.getElementById(id))
          list.onclick = () => { entries.hidden = false }
          entries.onclick = ({ target }) => {
            list.textContent = target.textContent
            document.querySelector('#chosen').value = 'US'
            entries.hidden = true
          }
        </script></body>`,
      ],
    ],
  ],
  [
    'a list of countries in which one looks for an entry',
    [
      [
        CHECKOUT,
        COUNTRIES,
        `<input type="hidden" name="country" value="US">
        <input id="country" role="combobox" aria-expanded="false" aria-autocomplete="list">
        <div role="listbox" id="entries"></div>`,
      ],
      [
        CHECKOUT,
        '</body>',
        `<script>
          const [list, entries] = ['country', 'entries'].map((id) => document.getElementById(id))
          list.oninput = () => {
            const fits = list.value === 'United States'
            entries.innerHTML = fits ? '<div role="option">United States</div>' : ''
          }
          entries.onclick = () => { entries.innerHTML = '' }
        </script></body>`,
      ],
    ],
  ],
  [
    'a store that ships to another country',
    [[CHECKOUT, COUNTRIES, '$1<option value="DE">Deutschland</option></select>']],
  ],
  [
    'a last button that waits for ways to deliver and to pay',
    [
      [
        CHECKOUT,
        '<div class="steps">',
        `<fieldset><legend>Delivery method</legend><button type="button" id="more">Choose</button></fieldset>
        <div id="ways" hidden>
          <div role="radiogroup" aria-label="Delivery"><span role="radio" aria-checked="false" tabindex="0" class="way">Express <button type="button" role="radio" aria-checked="true" tabindex="-1"></button></span></div>
          <div role="radiogroup" aria-label="Way to pay"><span role="radio" aria-checked="false" tabindex="0" class="way">Card</span><span role="radio" aria-checked="false" tabindex="0" class="way">Bank transfer</span></div>
          <label><input type="checkbox" id="terms"> I agree to the terms and conditions</label>
        </div>
        <div class="steps">`,
      ],
      [CHECKOUT, SAVE, ''],
      [CHECKOUT, 'value="pay">', 'value="pay" id="pay" disabled>'],
      [
        CHECKOUT,
        '</body>',
        `<script>
          const find = (id) => document.getElementById(id)
          find('more').onclick = () => { find('ways').hidden = false }
          const update = () => {
            const chosen = [...document.querySelectorAll('.way[aria-checked=true]')]
            const ways = chosen.map(({ textContent }) => textContent.trim()).join()
            find('pay').disabled = ways !== 'Express,Bank transfer' || !find('terms').checked
          }
          for (const way of document.querySelectorAll('.way')) {
            way.onclick = () => { way.ariaChecked = 'true'; update() }
          }
          find('terms').onchange = update
        </script></body>`,
      ],
    ],
  ],
  [
    'ways to deliver that are drawn again, so that the first press is lost',
    [
      [
        CHECKOUT,
        '<div class="steps">',
        `<div role="radiogroup" aria-label="Delivery"><span role="radio" aria-checked="false" tabindex="0" id="way">Standard</span></div>
        <div role="radiogroup" aria-label="Wrapping"><span role="radio" aria-checked="false" tabindex="0" id="wrap">None</span></div><div class="steps">`,
      ],
      [CHECKOUT, SAVE, ''],
      [CHECKOUT, 'value="pay">', 'value="pay" id="pay" disabled>'],
      [
        CHECKOUT,
        '</body>',
        `<script>
          const [way, wrap, pay] = ['way', 'wrap', 'pay'].map((id) => document.getElementById(id))
          let isDrawn = false
          const update = () => { pay.disabled = !(way.ariaChecked === 'true' && wrap.ariaChecked === 'true') }
          way.onclick = () => { way.ariaChecked = String(isDrawn); isDrawn = true; update() }
          wrap.onclick = () => { wrap.ariaChecked = 'true'; update() }
        </script></body>`,
      ],
    ],
  ],
  [
    'steps that follow one another with the same button',
    [
      [
        CHECKOUT,
        '<div class="steps">',
        `<div id="step"><label>Email <input type="email"></label><button type="button">Continue</button></div><div id="rest" hidden><div class="steps">`,
      ],
      [CHECKOUT, SAVE, ''],
      [CHECKOUT, '</form>', '</div></form>'],
      [
        CHECKOUT,
        '</body>',
        `<script>
          const step = document.querySelector('#step')
          const next = (show) => { step.querySelector('button').onclick = show }
          next(() => {
            step.innerHTML = '<label>Phone <input type="tel"></label><button type="button">Continue</button>'
            next(() => {
              step.remove()
              document.querySelector('#rest').hidden = false
            })
          })
        </script></body>`,
      ],
    ],
  ],
  [
    'a price that is stated without tax too',
    [[PRODUCT, '<p class="price">', '<p class="price">$999.00</p><p>Ex tax: ']],
  ],
  [
    'a basket with a button that removes nothing',
    [[BASKET, '<main>', '<button>Remove all</button><main>']],
  ],
  [
    'a chat that mentions a captcha',
    [before('<aside><p>Ask us about captcha and 18+ goods.</p><button>Chat</button></aside>')],
  ],
]

const VEIL = '.veil{position:fixed;inset:0;background:#fff;z-index:9}'

describeInBrowser('a walk through the pages of the reference store', () => {
  let hosts: Hosts
  let session: BrowserSession
  const edits: Edit[] = []
  const applied = new Set<Edit>()

  beforeAll(async () => {
    const { deps } = await testDeps()
    const app = createStore({ deps, faults: [], official: true, card: testCardEntry })
    hosts = await serveHosts({
      '*.example': async (request) => {
        const { pathname, search } = new URL(request.url)
        const answer = await app.fetch(request)
        const type = answer.headers.get('content-type') ?? ''
        if (type.startsWith('text/css')) {
          return new Response((await answer.text()) + VEIL, { headers: { 'content-type': type } })
        }
        if (!type.startsWith('text/html')) return answer
        let page = await answer.text()
        for (const edit of edits) {
          const [path, from, to] = edit
          if (!path.test(pathname + search)) continue
          const changed = page.replace(from, to)
          if (changed !== page) applied.add(edit)
          page = changed
        }
        const headers = new Headers(answer.headers)
        // The store allows no script in its pages; a planted one is to run.
        if (page.includes('<script>')) headers.delete('content-security-policy')
        return new Response(page, { status: answer.status, headers })
      },
    })
    session = await openBrowser({
      path: inject('browserPath') ?? '',
      profile: await mkdtemp(join(inject('profiles'), 'pages-')),
      userAgent: 'Aisle/test',
      testHosts: [{ pattern: '*.example', origin: `http://127.0.0.1:${hosts.httpPort}` }],
      limits: { connections: 1_000_000, bytes: 1024 ** 3 },
    })
  })
  afterAll(async () => {
    await session?.close()
    await hosts?.close()
  })

  let walks = 0
  const walk = async (planted: readonly Edit[]) => {
    edits.splice(0, edits.length, ...planted)
    // A host of its own, whose basket and cache are empty.
    walks += 1
    return walkAt(`odd-${walks}.example`)
  }
  const walkAt = async (host: string) => {
    const url = `https://${host}/products/ao-1001`
    const contact = {
      email: 'buyer@agent.example',
      phone: '+12025550123',
      address: sampleAddress('shop.example', 'USD'),
    }
    return walkPages(session, { url, contact, own: [new URL(url).hostname] }, () => {})
  }

  test.each(PAGE_FAULTS)('$fault is found, and its gap', async ({ fault, gap, finding }) => {
    edits.splice(0, edits.length)
    const { findings, ended, steps } = await walkAt(`${fault}.example`)
    expect(findings.map(({ id }) => id)).toContain(finding)
    const found = findings.find(({ id }) => id === finding)
    expect(found?.element.selector).toContain(ELEMENTS[fault])
    expect(found?.element.role).not.toBe('')
    // Nothing that was not planted: what follows from it may end the walk as well.
    expect(findings.length).toBeLessThanOrEqual(2)
    const kept = {
      ...beginPages(''),
      ended,
      steps: steps.map((each, n) => keptStep(each, n, false)),
    }
    const outcomes = runRules(rulesOf(['pages']), { pagesWalk: pagesSeenOf(kept) })
    const gaps = outcomes.flatMap(({ rule, verdict }) => (verdict.kind === 'gap' ? [rule.gap] : []))
    expect(gaps).toContain(gap)
    expect(gaps.length).toBeLessThanOrEqual(2)
  })

  test.each(ODD)('%s is walked to its last step', async (_, planted) => {
    const { findings, ended, emptied } = await walk(planted)
    expect([...applied]).toEqual(expect.arrayContaining(planted))
    expect({ findings, ended, emptied }).toEqual({
      findings: [],
      ended: 'reached',
      emptied: 'emptied',
    })
  })

  test('the same walk has the same steps', async () => {
    const told = async () => {
      const { steps } = await walk([])
      return steps.map(({ stage, does, element, sees, findings }) => ({
        stage,
        does,
        element,
        sees,
        findings,
      }))
    }
    expect(await told()).toEqual(await told())
  })
})
