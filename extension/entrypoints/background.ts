import { browser } from 'wxt/browser'
import { defineBackground } from 'wxt/utils/define-background'
import { openPanel } from '../open-panel.ts'

export default defineBackground(() => {
  // Firefox has a popup, and so never sends this.
  browser.action.onClicked.addListener((tab) => openPanel(browser, tab))
})
