import { browser } from 'wxt/browser'
import { defineBackground } from 'wxt/utils/define-background'
import { clearBadge } from '../browser/badge.ts'
import { openPanel } from '../browser/panel.ts'

export default defineBackground(() => {
  // Firefox has a popup, so it never sends this
  // (https://developer.chrome.com/docs/extensions/reference/api/action#event-onClicked).
  browser.action.onClicked.addListener((tab) => openPanel(browser, tab))
  // A page that a script replaces would keep its badge. Only granted tabs have a `url`.
  browser.tabs.onUpdated.addListener((tabId, { url }) => {
    if (url !== undefined) void clearBadge(browser.action, tabId)
  })
})
