import type { AuditResult } from '../../shared/audit/result/result.ts'

type Grade = AuditResult['grade']

/** The colours of the score ring. White letters have a contrast of at least 4.5 on each. */
const COLOURS: Record<Grade, string> = { A: '#178048', B: '#1d74a8', C: '#a86400', D: '#c22a22' }

/** The part of `browser.action` that a badge needs. */
export interface BadgeAction {
  setBadgeText(details: { tabId: number; text: string }): Promise<void>
  setBadgeBackgroundColor(details: { tabId: number; color: string }): Promise<void>
  setBadgeTextColor(details: { tabId: number; color: string }): Promise<void>
  setTitle(details: { tabId: number; title: string }): Promise<void>
}

/** Removes the score from a tab whose page could not be audited. A closed tab is not an error. */
export async function clearBadge(
  action: Pick<BadgeAction, 'setBadgeText' | 'setTitle'>,
  tabId: number,
): Promise<void> {
  try {
    await action.setBadgeText({ tabId, text: '' })
    await action.setTitle({ tabId, title: '' })
  } catch {
    // The tab was closed meanwhile.
  }
}

/**
 * Shows the score of the page on the tab's button, with `title` as its tooltip: no letter, which is
 * the store's. The browser resets both when the tab navigates
 * (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API/action/setBadgeText).
 */
export async function showBadge(
  action: BadgeAction,
  tabId: number,
  { score, grade }: Pick<AuditResult, 'score' | 'grade'>,
  title: string,
): Promise<void> {
  try {
    await action.setBadgeBackgroundColor({ tabId, color: COLOURS[grade] })
    await action.setBadgeTextColor({ tabId, color: '#ffffff' })
    await action.setBadgeText({ tabId, text: String(score) })
    await action.setTitle({ tabId, title })
  } catch {
    // The tab was closed meanwhile.
  }
}
