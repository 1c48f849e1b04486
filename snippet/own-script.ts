/** The tag that loaded this script, by its address or, where that is another, as the one at work. */
export const findOwnScript = (document: Document) =>
  document.querySelector<HTMLScriptElement>('script[src*="attribution.js?id="]') ||
  document.currentScript
