/** How far an agent comes: `obstacle` ends its purchase, `friction` makes it guess. */
type Weight = 'obstacle' | 'friction'

/**
 * Everything that a walk through pages may find, in words for the merchant, with the gap that it
 * makes.
 */
export const PAGE_FINDINGS = {
  page_failed: ['obstacle', 'The page answers with an error', 'pages_walled'],
  page_unreadable: ['obstacle', 'The page shows an agent nothing', 'pages_walled'],
  captcha: ['obstacle', 'A captcha stops agents', 'pages_walled'],
  age_gate: ['obstacle', 'An age gate stops agents', 'pages_walled'],
  consent_without_button: [
    'obstacle',
    'The cookie notice has no button with a name',
    'pages_walled',
  ],
  overlay: ['obstacle', 'Something lies over the page and cannot be closed', 'pages_walled'],
  overlay_to_close: [
    'friction',
    'A pop-up lies over the page until it is closed',
    'pages_interrupted',
  ],
  dialog_box: ['friction', 'A script dialog interrupts', 'pages_interrupted'],
  new_window: ['friction', 'A step opens a new window', 'pages_interrupted'],
  product_name_missing: [
    'friction',
    'The product’s name is not a heading',
    'pages_product_unclear',
  ],
  price_missing: ['friction', 'The product page states no price as text', 'pages_product_unclear'],
  option_unnamed: ['friction', 'A choice of variants has no name', 'pages_choices_unnamed'],
  options_not_operable: [
    'obstacle',
    'Variants cannot be chosen with a control',
    'pages_options_not_operable',
  ],
  quantity_unnamed: ['friction', 'The quantity field has no name', 'pages_choices_unnamed'],
  add_missing: ['obstacle', 'No control adds the product to the basket', 'pages_add_fails'],
  add_unnamed: ['obstacle', 'The control that adds to the basket has no name', 'pages_add_fails'],
  add_not_a_control: ['obstacle', '“Add to basket” is text, not a button', 'pages_add_fails'],
  add_disabled: [
    'obstacle',
    'The button that adds to the basket stays disabled',
    'pages_add_fails',
  ],
  add_without_effect: ['obstacle', 'Adding to the basket does nothing', 'pages_add_fails'],
  basket_link_missing: [
    'obstacle',
    'No link with a name leads to the basket',
    'pages_checkout_not_found',
  ],
  basket_empty: ['obstacle', 'The basket is empty after the product was added', 'pages_add_fails'],
  price_changed: ['obstacle', 'The price changes on the way', 'pages_basket_differs'],
  currency_changed: ['obstacle', 'The currency changes on the way', 'pages_basket_differs'],
  quantity_changed: ['obstacle', 'The quantity changes on the way', 'pages_basket_differs'],
  checkout_link_missing: [
    'obstacle',
    'No control with a name leads from the basket to the checkout',
    'pages_checkout_not_found',
  ],
  checkout_not_a_control: [
    'obstacle',
    '“Checkout” is text, not a button',
    'pages_checkout_not_found',
  ],
  account_required: ['obstacle', 'The checkout requires an account', 'pages_account_required'],
  field_unnamed: ['friction', 'A field of the checkout has no name', 'pages_form_unclear'],
  autocomplete_wrong: [
    'friction',
    'A field’s autocomplete contradicts its label',
    'pages_form_unclear',
  ],
  country_missing: [
    'obstacle',
    'The list of countries does not offer the buyer’s',
    'pages_form_stops',
  ],
  required_unknown: [
    'obstacle',
    'A required field does not say what it asks for',
    'pages_form_stops',
  ],
  form_refused: ['obstacle', 'The checkout refuses a complete form', 'pages_form_stops'],
  continue_missing: [
    'obstacle',
    'No control with a name leads on in the checkout',
    'pages_form_stops',
  ],
  list_not_operable: ['obstacle', 'A list opens no entries that can be chosen', 'pages_form_stops'],
  pay_disabled: ['obstacle', 'The last button stays disabled', 'pages_form_stops'],
  total_missing: ['friction', 'The last step states no total', 'pages_total_missing'],
  too_many_steps: ['obstacle', 'The checkout does not come to its last step', 'pages_form_stops'],
} as const satisfies Record<string, readonly [Weight, string, `pages_${string}`]>

export type PageFindingId = keyof typeof PAGE_FINDINGS

/** One thing that an agent needed and did not find, with where it was. */
export interface PageFinding {
  id: PageFindingId
  /** What was seen, and what was expected. */
  detail: string
  /**
   * The element that it is about, or the one in which something is missing. Without a selector for
   * what the page does not hold, such as the dialog box of a script.
   */
  element: { role: string; name: string; selector: string; ref: number }
}

export const isObstacle = ({ id }: Pick<PageFinding, 'id'>): boolean =>
  PAGE_FINDINGS[id][0] === 'obstacle'
