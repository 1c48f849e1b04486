import { MAX_ADDRESS } from '../web/address/uri.ts'
import { type Budget, LIMITS } from './budget.ts'
import type { MarkupNode } from './node.ts'
import {
  firstText,
  hasValue,
  isNode,
  isWithin,
  nodesOf,
  oneLineText,
  placeOf,
  textsOf,
  urlsOf,
  valuesOf,
} from './values.ts'
import { PRODUCT_TYPES } from './vocabulary.ts'

/** An organization that a page speaks for. Texts as written on one line; null if not stated. */
export interface OrganizationMarkup {
  where: string
  /** At most five. */
  types: string[]
  /** A branch with its own address: it may well have another name than the store. */
  is_place: boolean
  name: string | null
  legal_name: string | null
  /** Other spellings that the owner states, `alternateName` before `legalName`. */
  alternates: string[]
  /** As written. */
  url: string | null
  /** As written; empty text where it is stated without an address. */
  logo: string | null
  /** Empty text for an empty entry. */
  same_as: string[]
}

/** The name of the page's WebSite. */
export interface SiteName {
  where: string
  name: string | null
  alternates: string[]
}

/** What a page's nodes say about organizations. */
export interface OrganizationReading {
  /** Those that the page speaks for: not a product's maker, a parent or a partner. */
  organizations: OrganizationMarkup[]
  /** Whether it describes any organization at all. */
  has_organization: boolean
  /** What any of its organizations states: Google reads policies of the whole store from there. */
  shop_policies: { returns: boolean; shipping: boolean }
  /** The first WebSite. */
  web_site: SiteName | null
}

/** The endings of a third of schema.org's subtypes of Organization. */
const ORGANIZATION_TYPE = /(?:Organization|Business|Store|Dealer)$/

/** The other subtypes, those of LocalBusiness among them: https://schema.org/Organization. */
const OTHER_ORGANIZATIONS = new Set(
  (
    'AccountingService AdultEntertainment Airline AmusementPark AnimalShelter ArtGallery Attorney ' +
    'Audiology AutoBodyShop AutoRental AutoRepair AutoWash AutomatedTeller Bakery ' +
    'BankOrCreditUnion BarOrPub BeautySalon BedAndBreakfast BowlingAlley Brewery CafeOrCoffeeShop ' +
    'Campground Casino ChildCare CollegeOrUniversity ComedyClub CommunityHealth Consortium ' +
    'Cooperative Corporation CovidTestingFacility DanceGroup DaySpa Dentist Dermatology ' +
    'DiagnosticLab DietNutrition Distillery DryCleaningOrLaundry Electrician ElementarySchool ' +
    'Emergency EmergencyService EmploymentAgency ExerciseGym FastFoodRestaurant FinancialService ' +
    'FireStation Florist FoodEstablishment FundingAgency FundingScheme GasStation ' +
    'GeneralContractor Geriatric GolfCourse GovernmentOffice Gynecologic HairSalon HealthClub ' +
    'HighSchool HobbyShop Hospital Hostel Hotel HousePainter IceCreamShop IndividualPhysician ' +
    'InsuranceAgency InternetCafe LegalService Library LibrarySystem Locksmith MedicalClinic ' +
    'MiddleSchool Midwifery Motel MotorcycleRepair MovieTheater MovingCompany MusicGroup NGO ' +
    'NailSalon NightClub Notary Nursing Obstetric Oncologic OnlineMarketplace Ophthalmology ' +
    'Optician Optometric Otolaryngologic PawnShop Pediatric PerformingGroup Pharmacy Physician ' +
    'PhysiciansOffice Physiotherapy PlasticSurgery Plumber Podiatric PoliceStation PoliticalParty ' +
    'PostOffice Preschool PrimaryCare ProfessionalService Project Psychiatric PublicHealth ' +
    'PublicSwimmingPool RadioStation RealEstateAgent RecyclingCenter ResearchProject Resort ' +
    'Restaurant RoofingContractor School SelfStorage ShoppingCenter SkiResort ' +
    'SportsActivityLocation SportsClub SportsTeam StadiumOrArena TattooParlor TelevisionStation ' +
    'TennisComplex TheaterGroup TireShop TouristInformationCenter TravelAgency VacationRental ' +
    'VeterinaryCare Winery WorkersUnion'
  ).split(' '),
)

export const isOrganizationType = (type: string): boolean =>
  ORGANIZATION_TYPE.test(type) || OTHER_ORGANIZATIONS.has(type)

/** By the node's types alone; `Brand` is not an organization in schema.org. */
const isOrganization = (node: MarkupNode): boolean => node.types.some(isOrganizationType)

const isPlace = (node: MarkupNode): boolean =>
  node.types.some(
    (type) => !/^(?:Organization|Corporation|Online(?:Business|Store|Marketplace))$/.test(type),
  )

/** Templates write a seller or a brand into the product without saying which of them it is. */
const isOfProduct = ({ parent }: MarkupNode): boolean =>
  parent?.types.some((type) => PRODUCT_TYPES.has(type) || /Offer$|^Review$/.test(type)) ?? false

/** Properties of a site or a page that name the organization behind it. */
const OWN_ROLES = new Set(
  'publisher mainEntity about copyrightHolder provider author creator sourceOrganization'.split(
    ' ',
  ),
)

/** Other things with a publisher, a review or a video often belong to someone else. */
const OF_SITE =
  /^(?:WebSite|\w*Page|WebPageElement|WPHeader|WPFooter|WPSideBar|SiteNavigationElement)$/

/**
 * The organizations of a page. One without references to it counts as the page's own, because home
 * pages mark up the store that way.
 */
export function readOrganizations(
  nodes: readonly MarkupNode[],
  budget: Budget,
): OrganizationReading {
  const all = nodes.filter(isOrganization)
  const ofOthers = new Set<MarkupNode>()
  const own = new Set<MarkupNode>()
  for (const node of nodes) {
    const isOfSite = node.types.some((type) => OF_SITE.test(type))
    for (const name of node.props.keys()) {
      const isRole = OWN_ROLES.has(name)
      for (const value of nodesOf(node, name)) {
        if (isRole && isOfSite) own.add(value)
        // An article that names the store by its id does not make it the article's.
        else if (!isRole || isWithin(value, node)) ofOthers.add(value)
      }
    }
  }
  const states = (...names: string[]) =>
    all.some((node) => names.some((name) => hasValue(node, name)))
  const site = nodes.find(({ types }) => types.includes('WebSite'))
  const organizations: OrganizationMarkup[] = []
  for (const node of all) {
    if (!own.has(node) && (ofOthers.has(node) || isOfProduct(node))) continue
    const read = readOrganization(node, budget)
    if (read === null) break
    organizations.push(read)
  }
  return {
    organizations,
    has_organization: all.length > 0,
    shop_policies: {
      returns: states('hasMerchantReturnPolicy'),
      shipping: states('hasShippingService', 'shippingDetails'),
    },
    web_site:
      site === undefined
        ? null
        : {
            where: placeOf(site),
            name: nameIn(site, 'name'),
            alternates: alternatesOf(site, budget),
          },
  }
}

/**
 * Those whose names must agree. Stores with branches mark up each of them under its own name, so
 * branches count only if nothing else is marked up, and then only the first.
 */
export function namedOrganizations({ organizations }: Pick<OrganizationReading, 'organizations'>) {
  const companies = organizations.filter(({ is_place }) => !is_place)
  return companies.length > 0 ? companies : organizations.slice(0, 1)
}

const MAX_NAME = 300

const nameIn = (node: MarkupNode, property: string): string | null =>
  firstText(node, property)?.slice(0, MAX_NAME) ?? null

/** The facts of one organization; null if it does not fit into the budget. */
function readOrganization(node: MarkupNode, budget: Budget): OrganizationMarkup | null {
  const address = (name: string) => urlsOf(node, name, 1)[0]?.slice(0, MAX_ADDRESS) ?? null
  const organization = {
    where: placeOf(node),
    types: node.types.slice(0, 5).map((type) => type.slice(0, MAX_NAME)),
    is_place: isPlace(node),
    name: nameIn(node, 'name'),
    legal_name: nameIn(node, 'legalName'),
    alternates: alternatesOf(node, budget),
    url: address('url'),
    logo: address('logo') ?? (valuesOf(node, 'logo').length > 0 ? '' : null),
    same_as: profilesOf(node, budget),
  }
  const size = Object.values(organization).flat().join('').length
  return budget.take('entries') && budget.take('entry_characters', size) ? organization : null
}

function alternatesOf(node: MarkupNode, budget: Budget): string[] {
  const stated = ['alternateName', 'legalName'].flatMap((property) => textsOf(node, property))
  if (stated.length > LIMITS.names) budget.cut('names')
  return stated.slice(0, LIMITS.names).map((name) => name.slice(0, MAX_NAME))
}

function profilesOf(node: MarkupNode, budget: Budget): string[] {
  const values = valuesOf(node, 'sameAs')
  if (values.length > LIMITS.profiles) budget.cut('profiles')
  return values
    .slice(0, LIMITS.profiles)
    .map((value) => (isNode(value) ? value.id : oneLineText(value))?.slice(0, MAX_ADDRESS) ?? '')
}
