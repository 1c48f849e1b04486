import type { GapId } from '../../../shared/audit/words.ts'
import { PAGE_FINDINGS, type PageFindingId } from '../../../shared/walk/pages/findings.ts'
import type { Overrides, StoreRequest } from '../http/store-request.ts'
import { STYLES_PATH } from '../shop/settings.ts'
import { type StoreFault, storeFault } from './fault.ts'

/** What a walk through pages finds, planted in the store's pages. */
interface PageFault extends StoreFault {
  finding: PageFindingId
}

/** Of the pages at this path, this becomes that. */
type Edit = [path: RegExp, from: string | RegExp, to: string]

const PRODUCT = /^\/products\//
const BASKET = /^\/basket/
const CHECKOUT = /^\/checkout\//
const STYLES = new RegExp(`^${STYLES_PATH}$`)
const SCRIPT_PATH = '/fault.js'

const ADD = '<button class="button">Add to basket</button>'
const COUNTRIES = /(<select id="country"[^>]*>)[\s\S]*?<\/select>/
const MAIN = /<main>[\s\S]*<\/main>/
const ANY_PRICE = /\$\d+\.\d\d|\d+\.\d\d USD/g

const before = (html: string): Edit => [PRODUCT, '<main>', `${html}<main>`]
/** Puts this over the product's page. */
const over = (html: string): Edit[] => [
  before(html),
  [STYLES, /$/, '.veil{position:fixed;inset:0;background:#fff;z-index:9}'],
]

const editing = (edits: readonly Edit[]): NonNullable<Overrides['reply']> => {
  const edited = (body: string, { path }: StoreRequest) =>
    edits.reduce((text, [at, from, to]) => (at.test(path) ? text.replace(from, to) : text), body)
  return (reply, request) => ({ ...reply, body: edited(reply.body, request) })
}

const pageFault = (name: string, finding: PageFindingId, overrides: Overrides): PageFault => ({
  fault: `ucp-pages-${name}`,
  gap: PAGE_FINDINGS[finding][2],
  needsBrowser: true,
  finding,
  overrides,
})

const edited = (name: string, finding: PageFindingId, ...edits: Edit[]): PageFault =>
  pageFault(name, finding, { reply: editing(edits) })

/** A price that nothing in the store has. */
const dearer = (path: RegExp): Edit => [path, ANY_PRICE, '$$1037.00']

/** What the HTML of product pages shows without a browser. */
const inHtml = (gap: GapId, html: string): StoreFault =>
  storeFault(gap, { reply: editing([[PRODUCT, '</main>', `${html}</main>`]]) })

export const HTML_FAULTS: readonly StoreFault[] = [
  inHtml('pages_buttons_unnamed', '<button type="button"><svg></svg></button>'),
  inHtml('pages_links_unnamed', '<a href="/wishlist"><svg></svg></a>'),
  inHtml('pages_fields_unnamed', '<select name="wish"><option>Red</option></select>'),
  inHtml('pages_autocomplete_missing', '<label>Email <input type="email" name="email"></label>'),
  // Those of which the HTML has nothing to choose.
  storeFault('pages_variants_scripted', {
    reply: editing([
      [
        PRODUCT,
        /<h1>(.*?)<\/h1>/,
        '$&<script type="application/json">{"name":"$1","variants":[{"sku":"F-41","size":"EU 41"},{"sku":"F-42","size":"EU 42"}]}</script>',
      ],
    ]),
  }),
]

/** Each way in which the store's pages can be wrong for an agent with a browser. */
export const PAGE_FAULTS: readonly PageFault[] = [
  edited('add-text', 'add_not_a_control', [
    PRODUCT,
    ADD,
    '<div class="button">Add to basket</div>',
  ]),
  edited('add-drawing', 'add_unnamed', [
    PRODUCT,
    ADD,
    '<button class="button"><svg></svg></button>',
  ]),
  edited('add-image', 'add_unnamed', [
    PRODUCT,
    ADD,
    '<button class="button"><img src="/images/logo.svg" alt=""></button>',
  ]),
  edited('add-missing', 'add_missing', [PRODUCT, ADD, '']),
  edited('add-hidden', 'add_missing', [
    PRODUCT,
    ADD,
    '<button class="button" aria-hidden="true" tabindex="-1">Add to basket</button>',
  ]),
  edited('add-disabled', 'add_disabled', [
    PRODUCT,
    ADD,
    '<button class="button" disabled>Add to basket</button>',
  ]),
  edited('option-unnamed', 'option_unnamed', [PRODUCT, '<label for="item">Variant</label>', '']),
  edited(
    'options-not-operable',
    'options_not_operable',
    [
      PRODUCT,
      /<select id="item"[\s\S]*?<\/select>/,
      '<div>S</div><div>M</div><p>Please choose an option</p>',
    ],
    [PRODUCT, ADD, '<button class="button" disabled>Add to basket</button>'],
  ),
  edited('quantity-unnamed', 'quantity_unnamed', [
    PRODUCT,
    '<label for="quantity">Quantity</label>',
    '',
  ]),
  edited('name-missing', 'product_name_missing', [PRODUCT, /<h1>(.*?)<\/h1>/, '<p>$1</p>']),
  edited('price-missing', 'price_missing', [PRODUCT, ANY_PRICE, '']),
  edited(
    'captcha',
    'captcha',
    before('<label><input id="bot" type="checkbox"> I\'m not a robot</label>'),
  ),
  edited(
    'age-gate',
    'age_gate',
    before('<div role="dialog" id="age" aria-label="Are you over 18?"><button>Yes</button></div>'),
  ),
  edited(
    'consent-without-button',
    'consent_without_button',
    ...over('<div class="veil" role="dialog" id="wall">We use cookies<div>Fine</div></div>'),
  ),
  edited(
    'newsletter-stuck',
    'overlay',
    ...over('<div class="veil" role="dialog" id="news">Join us</div>'),
  ),
  edited('veil', 'overlay', ...over('<div class="veil" id="veil"></div>')),
  edited(
    'pop-up',
    'overlay_to_close',
    ...over(
      '<span id="closed"></span><div class="veil" role="dialog" id="pop">Join us <a href="#closed">Close</a></div>',
    ),
    [STYLES, /$/, '#closed:target+.veil{display:none}'],
  ),
  pageFault('dialog-box', 'dialog_box', {
    reply: (reply, request) =>
      request.path === SCRIPT_PATH
        ? {
            status: 200,
            headers: { 'content-type': 'text/javascript' },
            body: 'alert("Subscribe!")',
          }
        : editing([before(`<script src="${SCRIPT_PATH}"></script>`)])(reply, request),
  }),
  edited('basket-empty', 'basket_empty', [
    BASKET,
    MAIN,
    '<main><h1>Your basket is empty</h1></main>',
  ]),
  edited('basket-of-another', 'add_without_effect', [
    BASKET,
    /Skarn Rain Jacket/g,
    'Another Thing',
  ]),
  edited('basket-dearer', 'price_changed', dearer(BASKET)),
  edited('basket-currency', 'currency_changed', [BASKET, /USD|\$/g, 'EUR ']),
  edited('basket-of-two', 'quantity_changed', [BASKET, 'value="1"', 'value="2"']),
  edited('checkout-unnamed', 'checkout_link_missing', [BASKET, '>Checkout</a>', '></a>']),
  edited('checkout-text', 'checkout_not_a_control', [
    BASKET,
    />Checkout<\/a>/,
    '></a><span id="go">Checkout</span>',
  ]),
  edited('checkout-window', 'new_window', [
    BASKET,
    ' rel="nofollow">Checkout',
    ' target="_blank">Checkout',
  ]),
  edited('account-required', 'account_required', [
    CHECKOUT,
    MAIN,
    '<main><h1>Log in</h1><form><label>Email <input type="email"></label><label>Password <input id="pw" type="password"></label><button>Log in</button></form></main>',
  ]),
  edited('field-unnamed', 'field_unnamed', [CHECKOUT, '<label for="name">Name</label>', '']),
  edited(
    'required-unknown',
    'required_unknown',
    [CHECKOUT, '<label for="city">City</label>', '<label for="city">Zzz</label>'],
    [CHECKOUT, 'autocomplete="address-level2"', ''],
  ),
  edited('autocomplete-wrong', 'autocomplete_wrong', [
    CHECKOUT,
    'autocomplete="address-level2"',
    'autocomplete="tel"',
  ]),
  edited('country-missing', 'country_missing', [
    CHECKOUT,
    COUNTRIES,
    '$1<option value="AQ">Antarctica</option></select>',
  ]),
  edited('list-stuck', 'list_not_operable', [
    CHECKOUT,
    COUNTRIES,
    '<button type="button" id="country" role="combobox" aria-haspopup="listbox" aria-expanded="false">Choose</button>',
  ]),
  edited('buttons-unnamed', 'continue_missing', [
    CHECKOUT,
    /(<button name="do"[^>]*>)[^<]*/g,
    '$1',
  ]),
  edited('form-refused', 'form_refused', [
    CHECKOUT,
    /<button name="do" value="pay">.*?<\/button>/,
    '',
  ]),
  edited('pay-disabled', 'pay_disabled', [CHECKOUT, 'value="pay">', 'value="pay" disabled>']),
  edited('basket-forgotten', 'basket_empty', [
    CHECKOUT,
    '<main>',
    '<main><p>Your basket is empty</p>',
  ]),
  edited('checkout-dearer', 'price_changed', dearer(CHECKOUT)),
  edited('total-missing', 'total_missing', [CHECKOUT, ANY_PRICE, ''], [CHECKOUT, /total/gi, '']),
  pageFault('basket-fails', 'page_failed', {
    reply: (reply, { path }) =>
      BASKET.test(path) && reply.status === 200 ? { ...reply, status: 500 } : reply,
  }),
  edited('blank', 'page_unreadable', [PRODUCT, /<body[\s\S]*<\/body>/, '<body></body>']),
  pageFault('basket-unlinked', 'basket_link_missing', {
    reply: (reply, request) =>
      BASKET.test(request.path) && reply.status === 303
        ? { ...reply, headers: { ...reply.headers, location: '/' } }
        : editing([[/^\//, '<a href="/basket" class="basket">Basket</a>', '']])(reply, request),
  }),
]
