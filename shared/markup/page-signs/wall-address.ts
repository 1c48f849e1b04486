import { foldersOf, isOfVisitor } from './visitor-address.ts'

/**
 * Folders of pages in front of a store that ask for a password, an age, a consent or a country, or
 * to wait. Without accents.
 */
const WALLS = new Set(
  (
    'log-in logon anmelden anmeldung connexion inloggen logowanie acceso accedi password passwort ' +
    'age age-check age-gate age-verification age-verify agecheck agegate ageverification verify-age ' +
    'consent cookie-consent cookie-wall consent-wall privacy-consent ' +
    'country-selector country-select select-country choose-country region-selector ' +
    'maintenance wartung coming-soon queue waiting-room warteraum captcha challenge'
  ).split(' '),
)

/** Whether an address is that of a page in front of the store, such as a login. */
export function isWall(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed === null) return false
  return foldersOf(parsed).some((folder) => WALLS.has(folder)) || isOfVisitor(url)
}
