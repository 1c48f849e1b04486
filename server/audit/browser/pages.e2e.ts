import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { describeInBrowser, type Hosts, serveHosts } from '../../../shared/testing/browser.ts'
import { sampleAddress } from '../../../shared/walk/addresses.ts'
import type { PageFindingId } from '../../../shared/walk/pages/findings.ts'
import { createStore } from '../../store/app.ts'
import { testCardEntry } from '../../store/buyer/card-entry.ts'
import { testDeps } from '../../store/testing/store.ts'
import { type BrowserSession, openBrowser } from './session.ts'
import { walkPages } from './walk-pages.ts'

/** Changes a page of the reference store: of the pages at this path, this becomes that. */
type Edit = [path: RegExp, from: string | RegExp, to: string]

const PRODUCT = /^\/products\//
const BASKET = /^\/basket/
const CHECKOUT = /^\/checkout\//
const ADD = '<button class="button">Add to basket</button>'
const MAIN = /<main>[\s\S]*<\/main>/
const ANY_PRICE = /\$\d+\.\d\d|\d+\.\d\d USD/g
const before = (html: string): Edit => [PRODUCT, '<main>', `${html}<main>`]

/** What is planted, what is found, and the element that is named (a part of its selector). */
const OBSTACLES: [what: string, edits: Edit[], id: PageFindingId, element: string | null][] = [
  [
    'adding is text',
    [[PRODUCT, ADD, '<div class="button">Add to basket</div>']],
    'add_not_a_control',
    'div',
  ],
  [
    'the button is a drawing',
    [[PRODUCT, ADD, '<button class="button"><svg></svg></button>']],
    'add_unnamed',
    'button',
  ],
  [
    'the button is an image without alt',
    [[PRODUCT, ADD, '<button class="button"><img src="/images/logo.svg" alt=""></button>']],
    'add_unnamed',
    'button',
  ],
  ['no button', [[PRODUCT, ADD, '']], 'add_missing', null],
  [
    'the button is hidden from agents',
    [
      [
        PRODUCT,
        ADD,
        '<button class="button" aria-hidden="true" tabindex="-1">Add to basket</button>',
      ],
    ],
    'add_missing',
    null,
  ],
  [
    'the button is disabled',
    [[PRODUCT, ADD, '<button class="button" disabled>Add to basket</button>']],
    'add_disabled',
    'button',
  ],
  [
    'variants without a label',
    [[PRODUCT, '<label for="item">Variant</label>', '']],
    'option_unnamed',
    '#item',
  ],
  [
    'variants without a control',
    [
      [
        PRODUCT,
        /<select id="item"[\s\S]*?<\/select>/,
        '<div>S</div><div>M</div><p>Please choose an option</p>',
      ],
      [PRODUCT, ADD, '<button class="button" disabled>Add to basket</button>'],
    ],
    'options_not_operable',
    'button',
  ],
  [
    'quantity without a label',
    [[PRODUCT, '<label for="quantity">Quantity</label>', '']],
    'quantity_unnamed',
    '#quantity',
  ],
  [
    'the name is no heading',
    [[PRODUCT, /<h1>(.*?)<\/h1>/, '<p>$1</p>']],
    'product_name_missing',
    null,
  ],
  ['no price as text', [[PRODUCT, ANY_PRICE, '']], 'price_missing', 'button'],
  [
    'a captcha',
    [before('<label><input id="bot" type="checkbox"> I’m not a robot</label>'.replace('’', "'"))],
    'captcha',
    '#bot',
  ],
  [
    'an age gate',
    [
      before(
        '<div role="dialog" id="age" aria-label="Are you over 18?"><button>Yes</button></div>',
      ),
    ],
    'age_gate',
    '#age',
  ],
  [
    'a cookie wall without buttons',
    [before('<div class="veil" role="dialog" id="wall">We use cookies<div>Fine</div></div>')],
    'consent_without_button',
    '#wall',
  ],
  [
    'a newsletter without a way out',
    [before('<div class="veil" role="dialog" id="news">Join us</div>')],
    'overlay',
    '#news',
  ],
  ['a bare veil', [before('<div class="veil" id="veil"></div>')], 'overlay', '#veil'],
  [
    'a pop-up that closes',
    [
      [
        /^\/products\/[^?]*$/,
        '<main>',
        '<div class="veil" role="dialog" id="pop">Join us <a href="?closed">Close</a></div><main>',
      ],
    ],
    'overlay_to_close',
    '#pop',
  ],
  ['a script’s dialog', [before('<script src="/alert.js"></script>')], 'dialog_box', null],
  [
    'the basket is empty',
    [[BASKET, MAIN, '<main><h1>Your basket is empty</h1></main>']],
    'basket_empty',
    'h1',
  ],
  ['another basket', [[BASKET, /Skarn Rain Jacket/g, 'Another Thing']], 'add_without_effect', 'h1'],
  ['the basket costs more', [[BASKET, /179\.00/g, '189.00']], 'price_changed', 'td'],
  ['the basket has another currency', [[BASKET, /USD/g, 'EUR']], 'currency_changed', 'td'],
  [
    'the basket holds two',
    [[BASKET, 'value="1"', 'value="2"']],
    'quantity_changed',
    'input[name="quantity"]',
  ],
  [
    'a basket without a named checkout',
    [[BASKET, '>Checkout</a>', '></a>']],
    'checkout_link_missing',
    null,
  ],
  [
    'checkout is text',
    [[BASKET, />Checkout<\/a>/, '></a><span id="go">Checkout</span>']],
    'checkout_not_a_control',
    '#go',
  ],
  [
    'checkout in a new window',
    [[BASKET, ' rel="nofollow">Checkout', ' target="_blank">Checkout']],
    'new_window',
    'a',
  ],
  [
    'an account is required',
    [
      [
        CHECKOUT,
        MAIN,
        '<main><h1>Log in</h1><form><label>Email <input type="email"></label><label>Password <input id="pw" type="password"></label><button>Log in</button></form></main>',
      ],
    ],
    'account_required',
    '#pw',
  ],
  [
    'a field without a label',
    [[CHECKOUT, '<label for="name">Name</label>', '']],
    'field_unnamed',
    '#name',
  ],
  [
    'a required field that says nothing',
    [
      [CHECKOUT, '<label for="city">City</label>', '<label for="city">Zzz</label>'],
      [CHECKOUT, 'autocomplete="address-level2"', ''],
    ],
    'required_unknown',
    '#city',
  ],
  [
    'autocomplete of something else',
    [[CHECKOUT, 'autocomplete="address-level2"', 'autocomplete="tel"']],
    'autocomplete_wrong',
    '#city',
  ],
  [
    'a country that is not offered',
    [[CHECKOUT, /<option value="US".*?<\/option>/, '']],
    'country_missing',
    '#country',
  ],
  [
    'buttons without names',
    [[CHECKOUT, /(<button name="do"[^>]*>)[^<]*/g, '$1']],
    'continue_missing',
    'button',
  ],
  [
    'a button that leads nowhere',
    [[CHECKOUT, /<button name="do" value="pay">.*?<\/button>/, '']],
    'form_refused',
    'button',
  ],
  [
    'the checkout forgot the basket',
    [[CHECKOUT, '<main>', '<main><p>Your basket is empty</p>']],
    'basket_empty',
    null,
  ],
  ['the checkout costs more', [[CHECKOUT, /179\.00/g, '199.00']], 'price_changed', 'td'],
  [
    'the checkout has no total',
    [
      [CHECKOUT, ANY_PRICE, ''],
      [CHECKOUT, /total/gi, ''],
    ],
    'total_missing',
    'button',
  ],
]

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
    'a chat that mentions a captcha',
    [before('<aside><p>Ask us about captcha and 18+ goods.</p><button>Chat</button></aside>')],
  ],
]

const SCRIPTS: Record<string, string> = { '/alert.js': 'alert("Subscribe!")' }
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
        const script = SCRIPTS[pathname]
        if (script) return new Response(script, { headers: { 'content-type': 'text/javascript' } })
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
        return new Response(page, { status: answer.status, headers: answer.headers })
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
    const url = `https://pages-${walks}.example/products/ao-1001`
    const contact = {
      email: 'buyer@agent.example',
      phone: '+12025550123',
      address: sampleAddress('shop.example', 'USD'),
    }
    return walkPages(session, { url, contact }, () => {})
  }

  test.each(OBSTACLES)('%s', async (_, planted, id, element) => {
    const { findings, ended, steps } = await walk(planted)
    expect([...applied]).toEqual(expect.arrayContaining(planted))
    expect(findings.map((each) => each.id)).toContain(id)
    const found = findings.find((each) => each.id === id)
    expect(found?.element?.selector ?? null).toEqual(
      element === null ? (found?.element?.selector ?? null) : expect.stringContaining(element),
    )
    // Nothing that was not planted: what follows from it may end the walk as well.
    expect(findings.length).toBeLessThanOrEqual(2)
    expect(steps.length).toBeGreaterThan(0)
    if (findings.length === 0) expect(ended).toBe('reached')
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
