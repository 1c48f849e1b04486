import { render } from 'preact'
import { linksTo } from '../../../shared/audit/gap/links.ts'
import { english, LanguageContext } from '../../../shared/view/language.ts'
import { WalkView } from '../../../shared/view/walk/WalkView.tsx'
import type { Transcript } from '../../../shared/walk/transcript.ts'
import { enableCopying } from './enable-copying.ts'
import { followWalk } from './follow-walk.ts'

enableCopying(document.body)

const root = document.getElementById('walk')
const { follow, base = '', locale = 'en' } = root?.dataset ?? {}

if (root !== null && follow !== undefined) {
  const aloneHref = ({ dialect, intent }: { dialect: string; intent: string }) =>
    `${follow}?purchase=${dialect}.${intent}`
  const pictureHref = (picture: string) => `${follow}/${picture}`
  const draw = (transcript: Transcript, isLive: boolean) => {
    render(
      <LanguageContext.Provider value={english(locale)}>
        <WalkView {...{ transcript, isLive, aloneHref, pictureHref }} links={linksTo(base)} />
      </LanguageContext.Provider>,
      root,
    )
    enableCopying(root)
  }
  followWalk(follow, draw, () => {
    for (const card of document.querySelectorAll<HTMLElement>('[data-when]')) {
      card.hidden = card.dataset.when !== 'over'
    }
  })
}
