/** How far an agent comes: `obstacle` ends its purchase, `friction` makes it guess. */
type Weight = 'obstacle' | 'friction'

/** Everything that a walk through pages may find, in words for the merchant. */
export const PAGE_FINDINGS = {
  page_failed: ['obstacle', 'The page answers with an error'],
  page_unreadable: ['obstacle', 'The page shows an agent nothing'],
  captcha: ['obstacle', 'A captcha stops agents'],
  age_gate: ['obstacle', 'An age gate stops agents'],
  consent_without_button: ['obstacle', 'The cookie notice has no button with a name'],
  overlay: ['obstacle', 'Something lies over the page and cannot be closed'],
  overlay_to_close: ['friction', 'A pop-up lies over the page until it is closed'],
  dialog_box: ['friction', 'A script dialog interrupts'],
  new_window: ['friction', 'A step opens a new window'],
  product_name_missing: ['friction', 'The product’s name is not a heading'],
  price_missing: ['friction', 'The product page states no price as text'],
  option_unnamed: ['friction', 'A choice of variants has no name'],
  options_not_operable: ['obstacle', 'Variants cannot be chosen with a control'],
  quantity_unnamed: ['friction', 'The quantity field has no name'],
  add_missing: ['obstacle', 'No control adds the product to the basket'],
  add_unnamed: ['obstacle', 'The control that adds to the basket has no name'],
  add_not_a_control: ['obstacle', '“Add to basket” is text, not a button'],
  add_disabled: ['obstacle', 'The button that adds to the basket stays disabled'],
  add_without_effect: ['obstacle', 'Adding to the basket does nothing'],
  basket_link_missing: ['obstacle', 'No link with a name leads to the basket'],
  basket_empty: ['obstacle', 'The basket is empty after the product was added'],
  price_changed: ['obstacle', 'The price changes on the way'],
  currency_changed: ['obstacle', 'The currency changes on the way'],
  quantity_changed: ['obstacle', 'The quantity changes on the way'],
  checkout_link_missing: [
    'obstacle',
    'No control with a name leads from the basket to the checkout',
  ],
  checkout_not_a_control: ['obstacle', '“Checkout” is text, not a button'],
  account_required: ['obstacle', 'The checkout requires an account'],
  field_unnamed: ['friction', 'A field of the checkout has no name'],
  autocomplete_wrong: ['friction', 'A field’s autocomplete contradicts its label'],
  country_missing: ['obstacle', 'The list of countries does not offer the buyer’s'],
  required_unknown: ['obstacle', 'A required field does not say what it asks for'],
  form_refused: ['obstacle', 'The checkout refuses a complete form'],
  continue_missing: ['obstacle', 'No control with a name leads on in the checkout'],
  total_missing: ['friction', 'The last step states no total'],
  too_many_steps: ['obstacle', 'The checkout does not come to its last step'],
} as const satisfies Record<string, readonly [Weight, string]>

export type PageFindingId = keyof typeof PAGE_FINDINGS

/** One thing that an agent needed and did not find, with where it was. */
export interface PageFinding {
  id: PageFindingId
  /** What was seen, and what was expected. */
  detail: string
  /** The element that it is about; null if there is none. */
  element: { role: string; name: string; selector: string; ref: number } | null
}

export const isObstacle = ({ id }: Pick<PageFinding, 'id'>): boolean =>
  PAGE_FINDINGS[id][0] === 'obstacle'
