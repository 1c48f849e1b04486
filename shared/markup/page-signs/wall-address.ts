import { foldersOf, isOfVisitor } from './visitor-address.ts'

/** Folders of pages that ask for a password before the store is shown. Without accents. */
const DOORS = new Set(
  (
    'login log-in logon signin sign-in anmelden anmeldung connexion inloggen logowanie acceso ' +
    'accedi password passwort coming-soon'
  ).split(' '),
)

/** Those that ask for an age, a consent or a country, or to wait. */
const WALLS = new Set(
  (
    'age age-check age-gate age-verification age-verify agecheck agegate ageverification verify-age ' +
    'consent cookie-consent cookie-wall consent-wall privacy-consent ' +
    'country-selector country-select select-country choose-country region-selector ' +
    'maintenance wartung queue waiting-room warteraum captcha challenge'
  ).split(' '),
)

/** Whether an address is that of a page in front of the store, such as a login. */
export function isWall(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed === null) return false
  const folders = foldersOf(parsed)
  return folders.some((each) => DOORS.has(each) || WALLS.has(each)) || isOfVisitor(url)
}

/** Whether it is that of a page that asks for a password. */
export function isDoor(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && foldersOf(parsed).some((folder) => DOORS.has(folder))
}
