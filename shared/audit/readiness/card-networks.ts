import { judgeRobots } from '../checks/well-known/robots.ts'
import { byHand, findingOf, type Route, requirement } from './requirement.ts'
import { livePages, openDoor } from './store-pages.ts'
import { VENDOR_PAGES } from './vendor-pages.ts'

/** The first of Mastercard's levels: agents use the website as people do. */
export const CARD_NETWORKS: Route = {
  surface: 'card_networks_first_level',
  label: 'Paid by card, by any agent',
  vendor: 'card-networks',
  about: 'Agents with a token of Mastercard or Visa check out on your pages as people do.',
  requirements: [
    openDoor(VENDOR_PAGES.mastercardFirstLevel),
    livePages(VENDOR_PAGES.mastercardFirstLevel),
    requirement({
      id: 'agents_not_blocked',
      label: 'No rule against AI agents',
      fix: 'Take the rules against shopping agents out of robots.txt.',
      page: VENDOR_PAGES.mastercardFirstLevel,
      check: 'well_known',
      reads: ['site', 'robots', 'productPages'],
      judge: (evidence) => findingOf(judgeRobots(evidence), 'robots.txt turns no AI agent away.'),
    }),
    byHand({
      id: 'network_tokens',
      label: 'Tokenized cards go through',
      fix: 'Ask your payment provider whether cards that an agent types in as network tokens are taken like others.',
      where: 'your payment provider',
      page: VENDOR_PAGES.mastercardFirstLevel,
    }),
    byHand({
      id: 'agents_told_from_bots',
      label: 'Signed agents are told from other bots',
      fix: 'Have your CDN check the signature (RFC 9421) that agents approved by Visa send.',
      where: 'your CDN or firewall: verified agents',
      page: VENDOR_PAGES.visaAgents,
    }),
  ],
}
