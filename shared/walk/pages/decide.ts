import { currenciesOf, isSameAmount } from '../../commerce/price-text.ts'
import {
  fieldKindOf,
  isLeftAlone,
  kindByAutocomplete,
  kindByLabel,
} from '../../markup/field-kinds.ts'
import { readControl } from '../../markup/page-signs/buy-words.ts'
import type { ActOutcome, PageAct } from './act.ts'
import { type Contact, countryInEnglish, optionFor, textFor } from './fields.ts'
import type { PageFinding, PageFindingId } from './findings.ts'
import { asksToPay, firstChoices, waitsFor } from './last-step.ts'
import {
  asOptions,
  countryOf,
  isCustomList,
  isListShown,
  type OpenList,
  searchOf,
  searchText,
  shownOptions,
  showsAnswer,
} from './lists.ts'
import { isToChoose, pricesIn, type ReadPrice, readProduct } from './product.ts'
import {
  ancestorsOf,
  isField,
  isPress,
  type PageNode,
  type PageTree,
  pageNodeOf,
  textOfNodes,
} from './tree.ts'
import { openOption } from './variants.ts'
import { elementOf, wallOf } from './walls.ts'
import {
  ACCOUNT,
  ASKS_CHOICE,
  BASKET_LINK,
  BASKET_PLACE,
  CONTINUE,
  EMPTY_BASKET,
  GUEST,
  OF_PAYMENT,
  OF_TOTAL,
  PAY,
  PLACEHOLDER,
  REMOVE,
  TO_CHECKOUT,
} from './words.ts'

export type PageStage = 'product' | 'basket' | 'checkout'

/** What a walk remembers from page to page. */
export interface PagesState {
  stage: PageStage
  product: { name: string; price: ReadPrice | null }
  /** What was done already, so that nothing is done twice in vain. */
  tried: readonly string[]
  /** The last thing could not be pressed, and what lay over it. */
  blocked: string | null
  /** Something was put into the basket. */
  isFilled: boolean
  /** Where the basket was. */
  basketUrl: string | null
  /** The list that was opened last, until something is chosen of it. */
  open: OpenList | null
  /** The buyer's, where the store does not ship to the first. */
  contact: Contact | null
}

export const FRESH_STATE: PagesState = {
  stage: 'product',
  product: { name: '', price: null },
  tried: [],
  blocked: null,
  isFilled: false,
  basketUrl: null,
  open: null,
  contact: null,
}

/** What to do next, in a word for people; or how the walk ended. */
type PagesDecision = {
  state: PagesState
  findings: PageFinding[]
} & (
  | {
      next: PageAct
      what: string
      node: PageNode | null
      /** It may be too early: the page may still fetch something. */
      isUnsure?: boolean
    }
  | { end: 'reached' | 'stopped' | 'sold_out'; pay: PageNode | null }
)

const lower = (node: PageNode) => node.name.toLowerCase().trim()

/**
 * What an agent does next on a page, by the accessibility tree alone and by fixed rules. It never
 * presses what orders or pays.
 */
export function decidePages(before: PagesState, tree: PageTree, buyer: Contact): PagesDecision {
  const contact = before.contact ?? buyer
  const isBasket = before.stage === 'basket' && isBasketPage(tree)
  const state = isBasket ? { ...before, basketUrl: tree.url } : before
  const found: PageFinding[] = []
  const see = (id: PageFindingId, detail: string, node: PageNode | null = null) => {
    found.push({ id, detail, element: elementOf(node ?? pageNodeOf(tree)) })
  }
  const done: Deciding = {
    found,
    see,
    contact,
    press: (node, what, change = {}) => ({
      state: {
        ...state,
        open: null,
        ...change,
        blocked: null,
        tried: [...state.tried, keyOf(tree, node)],
      },
      findings: found,
      next: pressOf(tree, node, see),
      what,
      node,
    }),
    end: (how, pay = null) => ({ state, findings: found, end: how, pay }),
    isTried: (node) => state.tried.includes(keyOf(tree, node)),
    isTriedTwice: (node) => state.tried.filter((key) => key === keyOf(tree, node)).length > 1,
  }
  if (tree.status >= 400) {
    see('page_failed', `${tree.url} answers ${tree.status}.`)
    return done.end('stopped')
  }
  if (tree.nodes.length < 3) {
    see('page_unreadable', 'The accessibility tree is empty.')
    return done.end('stopped')
  }
  if (state.open !== null) {
    const chosen = onOpenList(state, tree, done, state.open)
    if (chosen !== null) return chosen
  }
  const wall = wallOf(tree, state.blocked !== null || isBehind(state, tree))
  if (wall?.is === 'stop') {
    found.push(wall.finding)
    return done.end('stopped')
  }
  if (wall?.is === 'press' && !done.isTried(wall.button)) {
    if (wall.finding) found.push(wall.finding)
    const what = wall.what === 'consent' ? 'Answer the cookie notice' : 'Close a pop-up'
    return done.press(wall.button, what)
  }
  if (state.blocked !== null) {
    see('overlay', `It lies over what has to be pressed: ${state.blocked}`)
    const last = found.at(-1)
    if (last) last.element = { role: 'generic', name: '', selector: state.blocked, ref: -1 }
    return done.end('stopped')
  }
  switch (state.stage) {
    case 'product':
      return onProduct(state, tree, done)
    case 'basket':
      return onBasket(state, tree, done)
    case 'checkout':
      return onCheckout(state, tree, done)
  }
}

/**
 * The state after an act: what could not be pressed blocks the way, and a field that the page
 * replaced meanwhile is filled in once more.
 */
export function afterAct(state: PagesState, outcome: ActOutcome): PagesState {
  if (outcome.is === 'covered') {
    return { ...state, blocked: outcome.by, tried: state.tried.slice(0, -1) }
  }
  if (outcome.is !== 'gone') return state
  const { tried } = state
  const again = (key: string) => (tried.includes(`${key} again`) ? key : `${key} again`)
  const left = new Set(outcome.left.map((at) => tried.length + at))
  return { ...state, tried: tried.map((key, at) => (left.has(at) ? again(key) : key)) }
}

interface Deciding {
  found: PageFinding[]
  see: (id: PageFindingId, detail: string, node?: PageNode | null) => void
  contact: Contact
  press: (node: PageNode, what: string, change?: Partial<PagesState>) => PagesDecision
  end: (how: 'reached' | 'stopped' | 'sold_out', pay?: PageNode | null) => PagesDecision
  isTried: (node: PageNode) => boolean
  isTriedTwice: (node: PageNode) => boolean
}

/** A link to a new window is followed in this one: an agent has one page before it. */
function pressOf(tree: PageTree, node: PageNode, see: Deciding['see']): PageAct {
  const to =
    node.attributes.target === '_blank' ? URL.parse(node.attributes.href ?? '', tree.url) : null
  if (to === null) return { do: 'press', ref: node.ref }
  see('new_window', `"${node.name}" opens ${to.href} in a new window.`, node)
  return { do: 'open', url: to.href }
}

/**
 * The place and name of a control, which stay the same when the page is read again. Steps that
 * follow one another in one page may have the same button: then what they ask for differs.
 */
const keyOf = (tree: PageTree, node: PageNode): string =>
  [
    URL.parse(tree.url)?.pathname,
    node.role,
    node.name,
    node.selector,
    ...(isPress(node) && CONTINUE.test(lower(node)) ? askedOf(tree) : []),
  ].join(' ')

const askedOf = ({ nodes }: PageTree): string[] =>
  nodes.flatMap((node) =>
    isField(node) || node.role === 'radio' || node.role === 'checkbox' ? node.name : [],
  )

/** A dialog takes everything else out of the tree: what is needed is behind it. */
const isBehind = ({ stage }: PagesState, tree: PageTree): boolean =>
  stage === 'product' && readProduct(tree).add === null

// A list that was opened.

/** Chooses of the list that is open; null if a field takes any text after all. */
function onOpenList(
  state: PagesState,
  tree: PageTree,
  done: Deciding,
  open: OpenList,
): PagesDecision | null {
  const opener = tree.nodes.find((node) => keyOf(tree, node) === open.of) ?? null
  const shown = shownOptions(tree)
  const options = asOptions(shown)
  const at = (option: string | null) => shown[options.findIndex(({ value }) => value === option)]
  const found = open.kind === 'country' ? countryOf(options, done.contact) : null
  const isMoved = found !== null && found.contact !== done.contact
  const wanted =
    open.kind === 'country'
      ? at(found?.option ?? null)
      : open.kind === 'region'
        ? at(optionFor('region', options, done.contact))
        : shown.find(({ name }) => !PLACEHOLDER.test(name.toLowerCase()))
  const search = open.isSearched || open.kind === 'variant' ? undefined : searchOf(tree)
  const field = search ?? (opener?.tag === 'input' ? opener : undefined)
  // A long list may show the buyer's country only when it is looked for.
  if ((!wanted || isMoved) && field && !open.isSearched) {
    const text = searchText(open, done.contact)
    return fill({ ...state, open: { ...open, isSearched: true } }, tree, done, `Look for ${text}`, [
      { node: field, text },
    ])
  }
  // Unspecified: a region that is not known is the first of the list.
  const option = wanted ?? (open.kind === 'region' ? shown[0] : undefined)
  if (option) {
    const change = { open: null, ...(isMoved && { contact: found.contact }) }
    return done.press(option, `Choose ${option.name}`, change)
  }
  if (opener?.tag === 'input' && !isListShown(tree)) return null
  if (open.kind === 'variant') {
    done.see('options_not_operable', 'It opens no options that have a name.', opener)
  } else if (isListShown(tree)) {
    done.see('country_missing', `It does not offer ${done.contact.address.country}.`, opener)
  } else {
    done.see('list_not_operable', 'When it is pressed, no options with a name appear.', opener)
  }
  return done.end('stopped')
}

// The product.

function onProduct(state: PagesState, tree: PageTree, done: Deciding): PagesDecision {
  const read = readProduct(tree)
  const { heading, price, add, choices, quantity } = read
  const byName = (node: PageNode[]) => openOption(tree, node, done.isTried, true)
  if (add === null) {
    // Many say "sold out" or "select" on a disabled button until a variant is chosen.
    const gate = read.part.findIndex((node) => node.role === 'button' && node.disabled)
    const option = gate < 0 ? undefined : byName(read.part.slice(0, gate))
    if (option) return done.press(option, `Choose ${option.name}`)
    if (read.isSoldOut) return done.end('sold_out')
    const text = tree.nodes.find(
      (node) => node.role === 'StaticText' && readControl(node.name) === 'cart',
    )
    const bare = read.part.find((node) => node.role === 'button' && node.name === '')
    if (text) done.see('add_not_a_control', `"${text.name}" has no role that can be pressed.`, text)
    else if (bare) done.see('add_unnamed', 'A button without a name is where it is expected.', bare)
    else {
      const what = 'No button or link says that it adds the product to the basket.'
      done.see('add_missing', what, heading)
    }
    return done.end('stopped')
  }
  for (const { label, controls } of choices) {
    const list = controls[0]
    if (label.name === '' && !done.isTried(label)) {
      done.see('option_unnamed', 'It does not say what is chosen with it.', label)
    }
    if (list?.tag === 'select') {
      const wanted = list.options.find(
        ({ text, value, disabled }) =>
          !disabled && value !== '' && !PLACEHOLDER.test(text.toLowerCase()),
      )
      if (isToChoose(list) && wanted && !done.isTried(list)) {
        return fill(state, tree, done, `Choose ${wanted.text}`, [
          { node: list, option: wanted.value },
        ])
      }
    } else if (!controls.some(({ checked }) => checked)) {
      const free = controls.find((node) => !node.disabled && !done.isTried(node))
      if (free) return done.press(free, `Choose ${free.name}`)
    }
  }
  const list = read.lists.find(
    (node) => PLACEHOLDER.test((node.value || node.name).toLowerCase()) && !done.isTried(node),
  )
  if (list) return openList(tree, done, list, 'variant')
  if (heading === null) {
    done.see('product_name_missing', 'No heading of level 1 names the product.', add)
  }
  if (price === null)
    done.see('price_missing', 'No text near the heading and the button is a price.', add)
  if (quantity && quantity.name === '') {
    done.see('quantity_unnamed', 'The field does not say that it is a quantity.', quantity)
  }
  const buttons = read.part.filter(
    (node) => node.role === 'button' && node.name !== '' && node !== add && node.name.length <= 20,
  )
  const swatch = buttons.find(({ pressed, disabled }) => pressed === false && !disabled)
  if (add.disabled || ASKS_CHOICE.test(textOfNodes(read.part).toLowerCase())) {
    if (swatch && !done.isTried(swatch)) return done.press(swatch, `Choose ${swatch.name}`)
    const option = byName(read.part.slice(0, read.part.indexOf(add)))
    if (option) return done.press(option, `Choose ${option.name}`)
  }
  if (add.disabled) {
    if (choices.length === 0 && ASKS_CHOICE.test(textOfNodes(tree.nodes).toLowerCase())) {
      done.see(
        'options_not_operable',
        'The page asks to choose, and offers no list, radio button or button for it.',
        add,
      )
    } else {
      done.see('add_disabled', 'It stays disabled when everything is chosen.', add)
    }
    return done.end('stopped')
  }
  const product = {
    name: read.name,
    price: price && { text: price.text, decimals: price.decimals, currency: price.currency },
  }
  return done.press(add, `Add to the basket: ${product.name}`, {
    stage: 'basket',
    product,
    isFilled: true,
  })
}

// The basket.

const isBasketPage = (tree: PageTree): boolean =>
  BASKET_PLACE.test((URL.parse(tree.url)?.pathname ?? '').toLowerCase()) ||
  tree.nodes.some(
    ({ role, level, name }) =>
      role === 'heading' && level === 1 && BASKET_PLACE.test(name.toLowerCase()),
  )

const isNamed = (node: PageNode, name: string): boolean =>
  node.name !== '' && lower(node).includes(name.toLowerCase().slice(0, 60))

/** A button before the one that adds, which may choose a variant without saying its state. */
function plainOption(tree: PageTree, done: Deciding): PageNode | undefined {
  const { part, add } = readProduct(tree)
  const before = part.slice(0, add ? part.indexOf(add) : 0)
  return (
    openOption(tree, before, done.isTried, true) ?? openOption(tree, before, done.isTried, false)
  )
}

/** The first that the page itself shows; one of its menus and bars if it shows none. */
const ofPage = (tree: PageTree, nodes: readonly PageNode[]): PageNode | undefined =>
  nodes.find(
    (node) =>
      !ancestorsOf(tree, node).some(({ role }) =>
        /^(?:navigation|banner|contentinfo|menubar)$/.test(role),
      ),
  ) ?? nodes[0]

const holds = (tree: PageTree, name: string): boolean =>
  tree.nodes.some((node) => isNamed(node, name))

function onBasket(state: PagesState, tree: PageTree, done: Deciding): PagesDecision {
  const presses = tree.nodes.filter((node) => isPress(node) && !node.disabled)
  const checkout = ofPage(
    tree,
    presses.filter((node) => TO_CHECKOUT.test(lower(node))),
  )
  if (!isBasketPage(tree)) {
    const links = presses.filter((node) => BASKET_LINK.test(lower(node)))
    const link =
      links.find((node) => node.role === 'link' && !done.isTried(node)) ??
      links.find((node) => !done.isTried(node))
    if (link) return done.press(link, 'Open the basket')
    if (checkout) return done.press(checkout, 'Go to the checkout', { stage: 'checkout' })
    const pay = presses.find((node) => PAY.test(lower(node)))
    const asksAddress = tree.nodes.some((node) => isField(node) && fieldKindOf(node) === 'street')
    // "Buy now" leads straight to the checkout.
    if (pay || asksAddress) return onCheckout({ ...state, stage: 'checkout' }, tree, done)
    if (ASKS_CHOICE.test(textOfNodes(tree.nodes).toLowerCase())) {
      const option = plainOption(tree, done)
      if (option) return done.press(option, `Choose ${option.name}`, { stage: 'product' })
      done.see(
        'options_not_operable',
        'The page asks to choose a variant, and offers no control for it.',
        tree.nodes.find((node) => node.role === 'StaticText' && ASKS_CHOICE.test(lower(node))) ??
          null,
      )
      return done.end('stopped')
    }
    const bare = presses.find(
      (node) =>
        node.role === 'link' && node.name === '' && BASKET_PLACE.test(node.attributes.href ?? ''),
    )
    done.see(
      'basket_link_missing',
      'After adding, no link says that it leads to the basket or the checkout.',
      bare ?? null,
    )
    return done.end('stopped')
  }
  const text = textOfNodes(tree.nodes).toLowerCase()
  if (!holds(tree, state.product.name)) {
    const heading = tree.nodes.find(({ role }) => role === 'heading') ?? null
    const isEmpty = EMPTY_BASKET.test(text)
    done.see(
      isEmpty ? 'basket_empty' : 'add_without_effect',
      `"${state.product.name}" is not in the basket.`,
      heading,
    )
    return done.end('stopped')
  }
  const isSame = judgePrice(state, tree, done)
  const quantity = tree.nodes.find(({ role }) => role === 'spinbutton')
  if (quantity && /^\d+$/.test(quantity.value) && quantity.value !== '1') {
    done.see('quantity_changed', `One was added, and the basket holds ${quantity.value}.`, quantity)
    return done.end('stopped')
  }
  if (!isSame) return done.end('stopped')
  if (checkout && !done.isTried(checkout)) {
    return done.press(checkout, 'Go to the checkout', { stage: 'checkout' })
  }
  const plain = tree.nodes.find(
    (node) => node.role === 'StaticText' && TO_CHECKOUT.test(lower(node)),
  )
  if (plain && !checkout) {
    done.see('checkout_not_a_control', `"${plain.name}" has no role that can be pressed.`, plain)
  } else {
    const bare = presses.find((node) => node.name === '')
    done.see(
      'checkout_link_missing',
      'No button or link of the basket says that it leads to the checkout.',
      bare ?? checkout ?? null,
    )
  }
  return done.end('stopped')
}

/** Whether the price of the product page is on this page; what is wrong with it is noted. */
function judgePrice(
  { product: { price, name } }: PagesState,
  tree: PageTree,
  done: Deciding,
): boolean {
  if (price === null) return true
  const prices = pricesIn(tree, tree.nodes)
  if (prices.length === 0) return true
  const isIt = (each: ReadPrice) =>
    each.decimals.some((one) =>
      price.decimals.some((other) => isSameAmount(one, other, price.currency)),
    )
  const same = prices.filter(isIt)
  const named = tree.nodes.findIndex((node, at) => at > 0 && isNamed(node, name))
  const after = prices.filter(({ node }) => tree.nodes.indexOf(node) > named)
  const shown = named > 0 && after.length > 0 ? after : prices
  if (same.length === 0) {
    done.see(
      'price_changed',
      `"${name}" costs ${price.text} on its page; here ${shown
        .slice(0, 3)
        .map(({ text }) => text)
        .join(', ')}.`,
      shown[0]?.node ?? null,
    )
    return false
  }
  const mayBe = (each: ReadPrice) => currenciesOf({ value: each.text, currency: each.currency })
  const wanted = mayBe(price)
  const isOther = (each: ReadPrice) => {
    const currencies = mayBe(each)
    return currencies.length > 0 && !currencies.some((currency) => wanted.includes(currency))
  }
  if (wanted.length > 0 && same.every(isOther)) {
    done.see(
      'currency_changed',
      `${price.text} on its page, ${same[0]?.text} here.`,
      same[0]?.node ?? null,
    )
    return false
  }
  return true
}

// The checkout.

function onCheckout(state: PagesState, tree: PageTree, done: Deciding): PagesDecision {
  const presses = tree.nodes.filter((node) => isPress(node) && !node.disabled)
  const fields = tree.nodes.filter(
    (node) =>
      (isCustomList(node) ||
        // A list that is no `select` often shows what is chosen in a field of its own.
        (isField(node) && !ancestorsOf(tree, node).some(isCustomList))) &&
      !node.disabled &&
      !isLeftAlone(node),
  )
  const known = fields.filter((node) => fieldKindOf(node) !== null)

  const guest =
    presses.find((node) => GUEST.test(lower(node)) && !done.isTried(node)) ??
    tree.nodes.find(
      (node) =>
        node.role === 'radio' && !node.checked && GUEST.test(lower(node)) && !done.isTried(node),
    )
  if (guest) return done.press(guest, 'Check out as a guest', { stage: 'checkout' })

  const password = tree.nodes.find(
    (node) => node.attributes.type === 'password' && node.role === 'textbox',
  )
  const isLogin =
    password &&
    !known.some(
      (node) =>
        fieldKindOf(node) === 'street' ||
        fieldKindOf(node) === 'name' ||
        fieldKindOf(node) === 'first',
    )
  if (isLogin && tree.nodes.some((node) => ACCOUNT.test(lower(node)))) {
    done.see(
      'account_required',
      'It asks to log in or register, and offers no way for guests.',
      password,
    )
    return done.end('stopped')
  }
  if (EMPTY_BASKET.test(textOfNodes(tree.nodes).toLowerCase())) {
    const said = tree.nodes.find(
      (node) => node.role === 'StaticText' && EMPTY_BASKET.test(lower(node)),
    )
    done.see('basket_empty', 'The checkout says that the basket is empty.', said)
    return done.end('stopped')
  }

  const filled = fieldsToFill(state, tree, fields, done)
  if (filled !== null) return filled

  const invalid = fields.filter(({ invalid }) => invalid)
  const alert = tree.nodes.find(({ role, name }) => role === 'alert' && name !== '')
  const goesOn = (node: PageNode) => CONTINUE.test(lower(node)) && !PAY.test(lower(node))
  const ways = presses.filter(goesOn)
  const onward = ways.find((node) => !done.isTried(node))
  // A press is lost where the page draws itself again meanwhile.
  const radio = firstChoices(tree).find((node) => !done.isTriedTwice(node))
  if (radio) return done.press(radio, `Choose ${radio.name}`)
  const pay =
    presses.find((node) => PAY.test(lower(node))) ??
    tree.nodes.find((node) => node.role === 'button' && PAY.test(lower(node)))
  if (onward) return done.press(onward, `Press "${onward.name}"`)
  const last =
    pay ??
    tree.nodes.findLast(
      (node) =>
        node.role === 'button' &&
        node.disabled &&
        // Some say there what is still to choose.
        (goesOn(node) || (node.attributes.type === 'submit' && OF_PAYMENT.test(lower(node)))),
    )
  if (last?.disabled) {
    const left = waitsFor(tree, done.isTried)
    if (left) return { ...done.press(left.node, left.what), isUnsure: true }
    if (!invalid[0] && !asksToPay(tree)) {
      const detail = `"${last.name}" stays disabled when everything that is asked for is given.`
      done.see('pay_disabled', detail, last)
      return done.end('stopped')
    }
  }
  if (invalid[0] || (ways.length > 0 && pay === undefined)) {
    const about = invalid[0] ?? ways[0] ?? null
    done.see(
      'form_refused',
      `After "${ways[0]?.name ?? ''}" it stays on the same step${alert ? `: ${alert.name.slice(0, 160)}` : '.'}`,
      about,
    )
    return done.end('stopped')
  }
  if (pay === undefined) {
    const bare = tree.nodes.find((node) => node.role === 'button' && node.name === '')
    done.see('continue_missing', 'No button says that it goes on or pays.', bare ?? null)
    return done.end('stopped')
  }
  if (!judgePrice(state, tree, done)) return done.end('stopped')
  const said = `${textOfNodes(tree.nodes)} ${pay.name}`.toLowerCase()
  if (!OF_TOTAL.test(said) && pricesIn(tree, tree.nodes).length === 0) {
    done.see('total_missing', 'No text of the last step is a total.', pay)
  }
  return done.end('reached', pay)
}

/** Fields that are still empty, each once: the country first, because it changes the others. */
function fieldsToFill(
  state: PagesState,
  tree: PageTree,
  fields: readonly PageNode[],
  done: Deciding,
): PagesDecision | null {
  const isOurs = (node: PageNode) =>
    !ancestorsOf(tree, node).some(({ role }) => role === 'contentinfo' || role === 'search')
  const open = fields.filter((node) => isOurs(node) && !done.isTried(node))
  const sent: { node: PageNode; kind: string; text?: string; option?: string }[] = []
  const lists: { node: PageNode; kind: 'country' | 'region' }[] = []
  let moved = done.contact
  for (const node of open) {
    const kind = fieldKindOf(node.name === '' ? { ...node, name: textBefore(tree, node) } : node)
    const [byToken, byLabel] = [kindByAutocomplete(node), kindByLabel(node)]
    if (node.name === '' && !node.attributes.title) {
      done.see(
        'field_unnamed',
        `It has no label${byToken ? `; its autocomplete says ${byToken}` : ''}.`,
        node,
      )
    } else if (byToken !== null && byLabel !== null && isContrary(byToken, byLabel)) {
      done.see(
        'autocomplete_wrong',
        `"${node.name}" has autocomplete="${node.attributes.autocomplete}".`,
        node,
      )
    }
    if (kind === null) {
      if (node.required && node.value === '') {
        done.see(
          'required_unknown',
          `"${node.name}" is required, and asks for nothing that is known.`,
          node,
        )
      }
      continue
    }
    if (node.tag === 'select') {
      if (kind !== 'country' && kind !== 'region') continue
      if (kind === 'country') {
        const found = countryOf(node.options, done.contact)
        if (found === null) {
          done.see('country_missing', `It does not offer ${done.contact.address.country}.`, node)
          return done.end('stopped')
        }
        moved = found.contact
        sent.push({ node, kind, option: found.option })
      } else {
        const option = optionFor(kind, node.options, done.contact)
        if (option !== null) sent.push({ node, kind, option })
      }
      continue
    }
    if (isCustomList(node)) {
      if (kind !== 'country' && kind !== 'region') continue
      if (!showsAnswer(node, kind, done.contact)) lists.push({ node, kind })
      continue
    }
    const text = textFor(kind, done.contact)
    if (text !== '' && node.role !== 'spinbutton') sent.push({ node, kind, text })
  }
  const country = sent.filter(({ kind }) => kind === 'country')
  if (country.length > 0) {
    const { address } = moved
    const isMoved = moved !== done.contact
    const what = `Choose the country${isMoved ? `: ${countryInEnglish(address.country)}` : ''}`
    return fill({ ...state, ...(isMoved && { contact: moved }) }, tree, done, what, country)
  }
  const list = lists.find(({ kind }) => kind === 'country') ?? (sent.length === 0 ? lists[0] : null)
  if (list) return openList(tree, done, list.node, list.kind)
  return sent.length === 0 ? null : fill(state, tree, done, 'Fill in contact and address', sent)
}

const openList = (
  tree: PageTree,
  done: Deciding,
  node: PageNode,
  kind: OpenList['kind'],
): PagesDecision =>
  done.press(node, `Open the list "${node.name || kind}"`, {
    open: { of: keyOf(tree, node), kind, isSearched: false },
  })

/** What is written before a field without a name, from which an agent guesses. */
const textBefore = (tree: PageTree, node: PageNode): string => {
  const at = tree.nodes.indexOf(node)
  const near = tree.nodes.slice(Math.max(0, at - 4), at)
  const last = near.findLastIndex((each) => isField(each) || isPress(each))
  return near
    .slice(last + 1)
    .filter(({ role }) => role === 'StaticText')
    .map(({ name }) => name)
    .join(' ')
}

/** Kinds that stores use for one another. */
const ALIKE = [new Set(['name', 'first', 'last']), new Set(['street', 'line2'])]
const isContrary = (one: string, other: string): boolean =>
  one !== other && !ALIKE.some((set) => set.has(one) && set.has(other))

function fill(
  state: PagesState,
  tree: PageTree,
  { found }: Deciding,
  what: string,
  sent: { node: PageNode; text?: string; option?: string }[],
): PagesDecision {
  return {
    state: {
      ...state,
      blocked: null,
      tried: [...state.tried, ...sent.map(({ node }) => keyOf(tree, node))],
    },
    findings: found,
    next: {
      do: 'fill',
      fields: sent.map(({ node, text, option }) => ({
        ref: node.ref,
        ...(text !== undefined && { text }),
        ...(option !== undefined && { option }),
      })),
    },
    what,
    node: sent[0]?.node ?? null,
  }
}

/** Whether a page of a basket says that it is empty, or holds the product no longer. */
export const isEmptied = ({ product }: PagesState, tree: PageTree): boolean =>
  EMPTY_BASKET.test(textOfNodes(tree.nodes).toLowerCase()) || !holds(tree, product.name)

/** What takes a thing out of the basket, the page's own first; none if the basket holds nothing. */
export function removersOf(tree: PageTree): PageNode[] {
  const all = tree.nodes.filter((node) => isPress(node) && REMOVE.test(lower(node)))
  const first = ofPage(tree, all)
  return first ? [first, ...all.filter((node) => node !== first)] : []
}
