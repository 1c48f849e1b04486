// Tells the tag what the visitor answered: Shopify's Customer Privacy API, for analytics
// (https://shopify.dev/docs/api/customer-privacy). It also knows regions that need no banner.
;(() => {
  function tell() {
    try {
      const granted = window.Shopify.customerPrivacy.analyticsProcessingAllowed()
      window.aisle ||= []
      window.aisle.push((aisle) => aisle.consent(granted))
    } catch {
      // The API is not there: nothing is stored.
    }
  }
  document.addEventListener('visitorConsentCollected', tell)
  // The API is loaded on demand; a theme's banner may have done it before.
  try {
    window.Shopify.loadFeatures([{ name: 'consent-tracking-api', version: '0.1' }], (error) => {
      if (!error) tell()
    })
  } catch {
    // Not a page of Shopify.
  }
})()
