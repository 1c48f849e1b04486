// Tells the tag what the visitor answered to the consent banner: about statistics.
;(() => {
  /** Undefined: there is no banner yet, or no answer. */
  function answer() {
    const { Cookiebot, getCkyConsent, cmplz_has_consent, wp_has_consent } = window
    if (getCkyConsent) {
      const { isUserActionCompleted, categories } = getCkyConsent()
      return isUserActionCompleted ? categories.analytics : undefined
    }
    if (Cookiebot?.consent) {
      return Cookiebot.hasResponse ? Cookiebot.consent.statistics : undefined
    }
    return (cmplz_has_consent || wp_has_consent)?.('statistics')
  }
  function tell() {
    try {
      const granted = answer()
      if (granted === undefined) return
      window.aisle ||= []
      window.aisle.push((aisle) => aisle.consent(!!granted))
    } catch {
      // A banner that has changed its functions says nothing: nothing is stored.
    }
  }
  for (const name of [
    'wp_listen_for_consent_change',
    'cmplz_status_change',
    'cookieyes_consent_update',
    'cookieyes_banner_load',
    'DOMContentLoaded',
  ]) {
    document.addEventListener(name, tell)
  }
  // Cookiebot sends its events to the window.
  for (const name of ['CookiebotOnAccept', 'CookiebotOnDecline', 'load']) {
    addEventListener(name, tell)
  }
})()
