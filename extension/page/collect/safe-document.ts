// DOM clobbering: `<img name="documentElement">` hides the property of the document
// (https://html.spec.whatwg.org/multipage/dom.html#dom-document-nameditem), and an input that of
// its form (https://html.spec.whatwg.org/multipage/forms.html#dom-form-nameditem), so properties
// are read through the prototypes.

const read = (document: Document, name: string): unknown =>
  Object.getOwnPropertyDescriptor(Document.prototype, name)?.get?.call(document)

/** The root element, or null in a document without one. */
export function rootOf(document: Document): Element | null {
  const root = read(document, 'documentElement')
  return root instanceof Element ? root : null
}

/** A property if it is text, such as `contentType`. */
export function documentText(document: Document, name: 'contentType' | 'characterSet'): string {
  const value = read(document, name)
  return typeof value === 'string' ? value : ''
}

/** The trimmed text of an element. */
export function elementText(element: Element): string {
  const value: unknown = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')?.get?.call(
    element,
  )
  return typeof value === 'string' ? value.trim() : ''
}

export const createElement = (document: Document, name: 'div' | 'p' | 'pre' | 'button') =>
  Document.prototype.createElement.call(document, name)

export const boxOf = (element: Element): DOMRect =>
  Element.prototype.getBoundingClientRect.call(element)

export const scrollTo = (element: Element): void =>
  Element.prototype.scrollIntoView.call(element, { block: 'center' })
