/** The parts of `browser` that opening the panel needs; only Chromium has `sidePanel`. */
interface PanelBrowser {
  sidePanel?: { open(options: { tabId: number }): Promise<void> }
  tabs: { create(options: { url: string }): Promise<unknown> }
}

/** The app in its own tab, auditing another tab. */
export const appUrl = (tabId: number): string => `/app.html?tab=${tabId}`

/**
 * Opens the panel of a tab, or the app in a new tab if there is no side panel. Must be called
 * directly in the click handler: after an `await` it no longer counts as a user gesture
 * (https://developer.chrome.com/docs/extensions/reference/api/sidePanel#method-open).
 */
export function openPanel(
  { sidePanel, tabs }: PanelBrowser,
  { id }: { id?: number | undefined },
): void {
  if (id === undefined) return
  const openTab = () => tabs.create({ url: appUrl(id) })
  const opened: Promise<unknown> = sidePanel?.open({ tabId: id }) ?? openTab()
  opened.catch(openTab)
}
